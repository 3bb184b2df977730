// Where a linked crowd runs: under Node, or on an isolated page of the real browser. Both return the line that it prints.

import { writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { launchOptions } from '../../tools/find_chromium.mjs';
import { kIsolated, serve } from '../package/static_server.ts';

/** Sound without a gesture of the user: an AudioWorklet is called only while its context runs. */
const kFlags = ['--autoplay-policy=no-user-gesture-required'];

let browser: Promise<Browser> | undefined;

/** The next test file of this process starts one of its own. */
export async function closeBrowser(): Promise<void> {
  const running = browser;
  browser = undefined;
  await (await running)?.close();
}

/** Loads `<name>.js` beside the wasm file as a page's script, with one argument. Rejects when anything on the page fails. */
export async function runOnPage(wasm: string, argument: number | string, timeout: number): Promise<string> {
  const name = basename(wasm, '.wasm');
  const module = `{ arguments: ['${argument}'], print: (text) => console.log('crowd', text) }`;
  writeFileSync(
    wasm.replace(/\.wasm$/, '.html'),
    `<!doctype html><script>var Module = ${module};</script><script src="${name}.js"></script>\n`,
  );
  browser ??= chromium.launch(launchOptions(kFlags));
  const page = await (await browser).newPage();
  const { address, close } = await serve(dirname(wasm), kIsolated);
  try {
    return await new Promise<string>((resolve, reject) => {
      const said: string[] = [];
      const fail = (why: string) => reject(new Error(`${why}\n${said.join('\n')}`));
      const timer = setTimeout(() => fail(`nothing after ${timeout} ms`), timeout);
      // What a worker says, or dies of, may arrive before what the page said earlier: an answer of the page comes after all of that.
      const failLater = (why: string) =>
        page.evaluate('0').then(
          () => fail(why),
          () => fail(`${why}, and the page with it`),
        );
      page.on('close', () => clearTimeout(timer));
      page.on('pageerror', (error) => failLater(String(error)));
      page.on('crash', () => fail('the page crashed'));
      page.on('console', (message) => {
        const text = message.text();
        said.push(text);
        if (text.startsWith('crowd ')) resolve(text.slice('crowd '.length));
        else if (/RuntimeError|Aborted|unreachable/.test(text)) failLater('a thread failed');
      });
      page.goto(`${address}/${name}.html`).catch(reject);
    });
  } finally {
    await page.close();
    close();
  }
}
