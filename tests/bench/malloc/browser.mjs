// The same runs in Chromium: an empty page with the headers of isolation (clocks are finer then), a new worker a run.

import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, relative } from 'node:path';
import { chromium } from '@playwright/test';
import { launchOptions } from '../../../tools/find_chromium.mjs';
import { root } from '../harness/compile.mjs';

const kTypes = { '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.stream': 'application/octet-stream' };
const kServed = ['tests/bench/', 'build/bench/'];
const kHeaders = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

function serve() {
  const server = createServer(({ url }, answer) => {
    const path = normalize(decodeURIComponent(new URL(url, 'http://here').pathname)).slice(1);
    const type = kTypes[extname(path)];
    if (path === '') {
      answer.writeHead(200, { ...kHeaders, 'Content-Type': 'text/html' }).end('<!doctype html><title>bench</title>');
    } else if (
      type !== undefined &&
      kServed.some((folder) => path.startsWith(folder)) &&
      existsSync(join(root, path))
    ) {
      answer.writeHead(200, { ...kHeaders, 'Content-Type': type });
      createReadStream(join(root, path)).pipe(answer);
    } else {
      answer.writeHead(404, kHeaders).end();
    }
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

const served = (path) => (path === undefined ? undefined : `/${relative(root, path)}`);

/** Runs a job in a new worker of the page. */
const runInWorker = (page, job) =>
  page.evaluate(
    (job) =>
      new Promise((done) => {
        const worker = new Worker('/tests/bench/malloc/browser_worker.mjs', { type: 'module' });
        const end = (message) => {
          worker.terminate();
          done(message);
        };
        worker.onmessage = ({ data }) => end(data);
        worker.onerror = ({ message }) => end({ failed: message || 'the worker did not start' });
        worker.postMessage(job);
      }),
    job,
  );

/** @returns {Promise<{ engine: string, run: (job: object) => Promise<object>, close: () => Promise<void> }>} */
export async function openBrowser() {
  const server = await serve();
  const browser = await chromium.launch(launchOptions());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  return {
    engine: `Chromium ${browser.version()}`,
    async run(job) {
      const { figures, failed } = await runInWorker(page, {
        ...job,
        wasm: served(job.wasm),
        stream: served(job.stream),
      });
      if (failed !== undefined) throw new Error(`${job.wasm}: ${failed}`);
      return figures;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}
