// Every way to use the package, by every compiler, Node and browser that is here: linked, recorded, attached, instrumented. What a program prints
// stays the same, and every trace is whole.
//
//   HG_EMCC_NEXT   more compilers, as PATH names folders: /a/emcc:/b/emcc        HG_NODE_NEXT   more Nodes, likewise

import { symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchOptions } from '../../tools/find_chromium.mjs';
import type { Report } from '../../web/src/report/report_types.ts';
import { kEvery } from '../every.ts';
import { kIsolated, serve } from '../package/static_server.ts';
import { type Compiler, compilers, type Place, placePackage } from './package_place.ts';
import { Build, kPrograms, nodes, type Program } from './toolchain_runs.ts';

const kLimit = 600_000;
const kLinks: readonly (readonly [name: string, asked: readonly string[], withThreads: boolean])[] = [
  ['fast', [], true],
  ['trace', ['--profile', 'trace'], true],
  ['hardened', ['--profile', 'hardened'], true],
  ['checked', ['--profile', 'checked'], true],
  ['small', ['--profile', 'small'], false],
  ['shrink', ['--shrink'], false],
  ['discard', ['--discard'], false],
];
const kWays: readonly (readonly [name: string, options: readonly string[]])[] = [
  ['instrumented', []],
  ['instrumented with stacks', ['--stacks']],
];
const kNodes = nodes();
const kBinaryen = fileURLToPath(new URL('../../node_modules/binaryen', import.meta.url));

function callsOf({ totals }: Report): string {
  const { allocations, frees, reallocations, unknown_frees } = totals;
  return `${allocations} allocations, ${frees} frees, ${reallocations} reallocations, ${unknown_frees} unseen`;
}

let place: Place;
let browser: Browser;
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  place = await placePackage();
  symlinkSync(kBinaryen, join(place.folder, 'node_modules/binaryen'));
  server = await serve(place.folder, kIsolated);
  browser = await chromium.launch(launchOptions());
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  place?.dispose();
});

/** A page that loads the program behind `before`; when it has printed, `look` looks at it. */
async function inPage<T>(script: string, before: string, behind: string, look: (page: Page) => Promise<T>) {
  const path = relative(place.folder, script.replace('program.js', `page${before.length}.html`));
  const dist = '/node_modules/heapglass/dist';
  const entries = {
    'heapglass/attach': `${dist}/attach/attach.js`,
    'heapglass/instrumented': `${dist}/package/instrumented.js`,
  };
  writeFileSync(
    join(place.folder, path),
    `<!doctype html><title>A program</title><link rel="icon" href="data:," />
    <script type="importmap">${JSON.stringify({ imports: entries })}</script>
    <script>globalThis.printed = []; globalThis.Module = { print: (line) => void printed.push(line) };</script>
    <script type="module">${before}
      await new Promise((onload, onerror) => {
        document.head.append(Object.assign(document.createElement('script'), { src: 'program.js', onload, onerror }));
      });
      ${behind}</script>`,
  );
  const page = await browser.newPage();
  const failed = new Promise<never>((_, reject) => page.on('pageerror', reject));
  try {
    await page.goto(`${server.address}/${path}`);
    const printed = page.waitForFunction(() => (globalThis as unknown as { printed: string[] }).printed[0]);
    const line = await (await Promise.race([printed, failed])).jsonValue();
    return { printed: line, seen: await Promise.race([look(page), failed]) };
  } finally {
    await page.close();
  }
}

async function dockOf(page: Page, says: RegExp): Promise<string> {
  const bar = page.locator('.hg-dock__bar');
  let text = '';
  const read = async (): Promise<string> => {
    text = (await bar.textContent({ timeout: 1000 }).catch(() => '')) ?? '';
    return text;
  };
  await expect.poll(read, { timeout: 30_000 }).toMatch(says);
  return text;
}

function testProgram(compiler: Compiler, program: Program): void {
  let build: Build;
  let plain = '';
  let printed = '';
  let counted: string | undefined; // by the recorder that is linked; threads find other memory in each run
  beforeAll(() => {
    build = new Build(place, compiler, program);
    plain = build.linkPlain();
    printed = build.start(kNodes[0], plain);
    expect(printed).toMatch(program.printed);
    if (program.hasThreads) return;
    counted = callsOf(build.record(kNodes[0], build.link('trace', ['--profile', 'trace'])).report);
  }, kLimit);

  const links = kLinks.filter(([, , withThreads]) => withThreads || !program.hasThreads);
  test.each(links)(
    'linked: %s',
    async (name, asked) => {
      const script = build.link(name, asked);
      for (const node of kNodes) expect([node.version, build.start(node, script)]).toEqual([node.version, printed]);
      expect((await inPage(script, '', '', async () => {})).printed).toBe(printed);
    },
    kLimit,
  );

  test(
    'recorded: the program linked with its recorder, in a page with its dock too',
    async () => {
      const script = build.link('trace', ['--profile', 'trace']);
      for (const node of kNodes) {
        const { printed: said, report } = build.record(node, script);
        expect([node.version, said, report.trace.proof?.equal]).toEqual([node.version, printed, true]);
        if (counted !== undefined) expect(callsOf(report)).toEqual(counted);
        console.log(`${compiler.version}, ${program.name}, ${node.version}: ${callsOf(report)}`);
      }
      const attach = "const { attach } = await import('heapglass/attach'); await attach(Module);";
      const { printed: said, seen } = await inPage(script, '', attach, (page) => dockOf(page, /verified at [1-9]/));
      expect(said).toBe(printed);
      console.log(`${compiler.version}, ${program.name}, Chromium: ${seen}`);
    },
    kLimit,
  );

  // Behind wasm's own exceptions the exceptions of Emscripten 3.1.6 are aligned blocks of a memalign that is part of its caller (event.P10).
  test.each(kWays)(
    '%s: under Node, and in a page with its dock',
    async (name, options) => {
      const script = build.instrument(plain, name.replaceAll(' ', '_'), options);
      for (const node of kNodes) {
        const { printed: said, report } = build.record(node, script);
        expect([node.version, said]).toEqual([node.version, printed]);
        if (counted !== undefined) expect(callsOf(report)).toEqual(counted);
        console.log(`${compiler.version}, ${program.name}, ${name}, ${node.version}: ${callsOf(report)}`);
      }
      const threads = program.hasThreads ? "recordThreads('/node_modules/heapglass/dist/instrumented/worker.js');" : '';
      const load = `import { firstRecorder, recordThreads } from 'heapglass/instrumented'; ${threads}`;
      const attach = "const { attach } = await import('heapglass/attach'); await attach(firstRecorder());";
      const { printed: said, seen } = await inPage(script, load, attach, (page) => dockOf(page, /in use\s[1-9]/));
      expect(said).toBe(printed);
      console.log(`${compiler.version}, ${program.name}, ${name}, Chromium: ${seen}`);
    },
    kLimit,
  );
}

describe.runIf(kEvery)('programs that the project does not otherwise have', () => {
  describe.each(compilers().map((compiler) => [compiler.version, compiler] as const))(
    'Emscripten %s',
    (_, compiler) => {
      describe.each(kPrograms.map((program) => [program.name, program] as const))('%s', (_name, program) => {
        testProgram(compiler, program);
      });
    },
  );
});
