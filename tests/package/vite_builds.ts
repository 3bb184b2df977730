// The pictures of vite_app, built by Vite and opened.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import type { build, createLogger, PluginOption } from 'vite';
import { serve } from './static_server.ts';

/** Of any version. */
export interface Vite {
  readonly build: typeof build;
  readonly createLogger: typeof createLogger;
}

export interface Built {
  readonly folder: string;
  readonly said: readonly string[];
  /** Bytes of each file, by its name. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Into a folder of that name in the project. */
export async function built(
  { build, createLogger }: Vite,
  root: string,
  name: string,
  plugins: PluginOption[],
): Promise<Built> {
  const said: string[] = [];
  const customLogger = createLogger('info', { allowClearScreen: false });
  customLogger.info = (text) => void said.push(text);
  customLogger.warn = (text) => void said.push(text);
  const folder = join(root, name);
  await build({
    root,
    configFile: false,
    cacheDir: join(root, `cache-${name}`),
    customLogger,
    plugins,
    worker: { format: 'es' },
    build: {
      outDir: folder,
      target: 'es2022',
      assetsInlineLimit: 0,
      rollupOptions: { input: join(root, 'sampled.html') },
    },
  });
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((path) => statSync(join(folder, path)).isFile());
  return { folder, said, files: new Map(files.map((path) => [path, readFileSync(join(folder, path))])) };
}

export interface Shown {
  readonly found: unknown;
  readonly traces: readonly Uint8Array[];
  readonly inWorker: number;
  readonly problems: readonly string[];
}

/** What the page has found out when it is opened; `then`: what else is done with it. */
export async function shown(
  { folder }: Built,
  browser: Browser,
  then: (page: Page) => Promise<void> = async () => {},
): Promise<Shown> {
  const server = await serve(folder, {});
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  try {
    await page.goto(`${server.address}/sampled.html`);
    const handle = await page.waitForFunction(() => (globalThis as { shown?: unknown }).shown, undefined, {
      timeout: 30_000,
    });
    const { found, traces, inWorker } = (await handle.jsonValue()) as {
      found: unknown;
      traces: number[][];
      inWorker: number;
    };
    await then(page);
    return { found, traces: traces.map((bytes) => Uint8Array.from(bytes)), inWorker, problems };
  } finally {
    await page.close();
    server.close();
  }
}
