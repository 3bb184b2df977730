// What the tests of attach share: the installed package with compiled programs, served, and pages of it in Chromium.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { launchOptions } from '../../tools/find_chromium.mjs';
import { type Installed, installPacked, root } from '../package/installed.ts';
import { serve } from '../package/static_server.ts';

export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors and warnings of all pages of the context. */
  readonly problems: string[];
  close(): Promise<void>;
}

export interface Pages {
  readonly installed: Installed;
  readonly address: string;
  open(path: string): Promise<Opened>;
  openAt(address: string): Promise<Opened>;
  dispose(): Promise<void>;
}

const emcc = join(root, 'wasm-build.sh');
const heapglass = 'node_modules/.bin/heapglass'; // what npx runs, without starting npm five times
const flags = `$(${heapglass} --cflags --ldflags --profile trace)`;
const common = '-O1 -sALLOW_MEMORY_GROWTH';

/** program.js, which two_lines.html attaches, with the flags that the package prints. */
export function compileProgram({ run }: Installed): void {
  run('sh', '-c', `${emcc} emcc program.c ${flags} ${common} -o program.js`);
}

/** All of the fixtures' programs. */
function compile(installed: Installed): void {
  const shell = (line: string) => installed.run('sh', '-c', line);
  compileProgram(installed);
  shell(`${emcc} emcc program.c ${flags} ${common} -sMODULARIZE -sEXPORT_ES6 -sEXPORT_NAME=makeProgram -o program.mjs`);
  shell(
    `${emcc} emcc program.c $(${heapglass} --ldflags) ${common} -sMODULARIZE -sEXPORT_ES6 -sEXPORT_NAME=makeUntraced -o untraced.mjs`,
  );
  const threaded = `$(${heapglass} --ldflags --profile trace --threads) -pthread -sPTHREAD_POOL_SIZE=2`;
  shell(`${emcc} emcc threads.c ${threaded} -O1 -sINITIAL_MEMORY=33554432 -o threads.js`);
  const names = ['ring', 'start', 'snapshot', 'checkpoint'].map((name) => `_hg_trace_${name}`).join(',');
  const home = 'node_modules/heapglass/dist/emscripten';
  const bare = `-I${home}/include ${home}/lib/libheapglass-trace.a -sSTANDALONE_WASM --no-entry -sALLOW_MEMORY_GROWTH`;
  shell(
    `${emcc} emcc bare.c ${bare} -sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0 -sEXPORTED_FUNCTIONS=_work,${names} -O1 -o bare.wasm`,
  );
}

export async function startPages(): Promise<Pages> {
  const installed = installPacked(fileURLToPath(new URL('./fixtures', import.meta.url)));
  compile(installed);
  const server = await serve(installed.folder);
  const browser: Browser = await chromium.launch(launchOptions());
  async function openAt(address: string): Promise<Opened> {
    const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
    const problems: string[] = [];
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    context.on('weberror', (error) => problems.push(String(error.error())));
    const page = await context.newPage();
    await page.goto(address);
    return { page, context, problems, close: () => context.close() };
  }
  return {
    installed,
    address: server.address,
    open: (path) => openAt(`${server.address}/${path}`),
    openAt,
    async dispose() {
      await browser.close();
      server.close();
      installed.dispose();
    },
  };
}
