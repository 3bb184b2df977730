// The processes that a scene runs in: a Node of its own, and a page in a Chromium of its own. Memory is read from /proc.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { findChromium } from '../../../tools/find_chromium.mjs';
import { faultsOf, largestOf, residentOf, settled, typeOf } from './resident.mjs';

/** A host: call(name, ...arguments) of the scene, resident() in MB. */
export async function openNode(files) {
  const child = spawn(
    process.execPath,
    [
      '--import',
      'data:text/javascript,delete globalThis.fetch',
      fileURLToPath(new URL('in_node.cjs', import.meta.url)),
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const answer = () =>
    new Promise((done, failed) => {
      child.once('message', ({ value, error }) => (error === undefined ? done(value) : failed(new Error(error))));
      child.once('exit', (code) => failed(new Error(`Node ended with ${code}`)));
    });
  const call = (name, ...given) => {
    child.send({ name, given });
    return answer();
  };
  return {
    name: `Node ${process.versions.node}`,
    start: (kind) => call('start', kind, files),
    call,
    residentNow: async () => residentOf(child.pid),
    faults: async () => faultsOf(child.pid),
    resident: () => settled(() => residentOf(child.pid)),
    close: async () => {
      child.removeAllListeners('exit');
      child.kill();
    },
  };
}

/** Only a page that is isolated may ask for its memory. */
const kIsolated = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
const kAtOnce = '--enable-blink-features=ForceEagerMeasureMemory'; // else the answer waits for a collection

function serve(folders) {
  const server = createServer(({ url = '/' }, answer) => {
    const name = url.slice(1);
    if (name === '')
      return answer
        .writeHead(200, { 'Content-Type': 'text/html', ...kIsolated })
        .end('<!doctype html><title>held</title>');
    for (const folder of folders) {
      try {
        const bytes = readFileSync(join(folder, name));
        return answer.writeHead(200, { 'Content-Type': typeOf(name) }).end(bytes);
      } catch {} // it may lie in the next one
    }
    return answer.writeHead(404).end();
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

/** Undefined: no Chromium here. */
export async function openChromium(files) {
  const executablePath = findChromium();
  if (executablePath === undefined) return undefined;
  const server = await serve([files.folder, files.wasmFolder]);
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args: [kAtOnce, ...sandbox] });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  for (const name of ['scene.js', 'held.js']) await page.addScriptTag({ url: `/${name}` });
  const system = await browser.newBrowserCDPSession();
  const renderers = async () => {
    const { processInfo } = await system.send('SystemInfo.getProcessInfo');
    return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  };
  const residentNow = async () => Math.max(...(await renderers()).map(residentOf));
  return {
    page,
    name: `Chromium ${browser.version().split('.')[0]}`,
    start: (kind) =>
      page.evaluate(
        ([kind, wasm]) => globalThis.heldScene.start(kind, () => globalThis.heldProgram(), wasm),
        [kind, '/heapglass-release.wasm'],
      ),
    call: (name, ...given) => page.evaluate(([name, given]) => globalThis.heldScene[name](...given), [name, given]),
    residentNow,
    faults: async () => faultsOf(largestOf(await renderers())),
    resident: () => settled(residentNow),
    measured: () => page.evaluate(async () => (await performance.measureUserAgentSpecificMemory()).bytes / 1e6),
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}
