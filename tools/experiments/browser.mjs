// Experiments in Chromium: the page's client and worker, served by Vite with the headers that let workers share memory.

import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { createServer } from 'vite';
import { launchOptions } from '../find_chromium.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const kClient = 'src/client/experiment_client.ts';

/** Serves the sources on a free port of this machine. `headers: false`: as a server that knows nothing of isolation. */
export async function serveSources({ headers = true } = {}) {
  const server = await createServer({
    root: `${root}web`,
    configFile: `${root}vite.config.ts`,
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0, hmr: false, ...(headers ? {} : { headers: {} }) },
  });
  if (!headers) server.config.server.headers = {};
  await server.listen();
  return { url: server.resolvedUrls.local[0], close: () => server.close() };
}

/** Opens an empty page of that server. */
export async function openEmptyPage(page, url) {
  const { headers } = await page.request.get(`${url}${kClient}`).then((answer) => ({ headers: answer.headers() }));
  const isolation = Object.entries(headers).filter(([name]) => name.startsWith('cross-origin-'));
  await page.route('**/empty', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html>', headers: Object.fromEntries(isolation) }),
  );
  await page.goto(`${url}empty`);
}

/** The last note of an experiment that the page's client runs. */
export const runOnPage = (page, url, request) =>
  page.evaluate(
    async ({ script, request }) => {
      const { createExperimentClient } = await import(script);
      return new Promise((done) => {
        const client = createExperimentClient((note) => {
          if (note.type === 'report' && !note.finished) return;
          client.dispose();
          done(note);
        });
        client.run(request);
      });
    },
    { script: `${url}${kClient}`, request },
  );

/** Runs experiments in a browser of its own; `use` is given measure(request). `collects`: R5 of web/src/experiments/runner.ts. */
export async function withBrowser(use, { collects = false } = {}) {
  const server = await serveSources();
  const browser = await chromium.launch(launchOptions(collects ? ['--js-flags=--expose-gc'] : []));
  try {
    const page = await browser.newPage();
    await openEmptyPage(page, server.url);
    await use(async (request) => {
      const note = await runOnPage(page, server.url, request);
      if (note.type === 'failed') throw new Error(note.message);
      return note;
    }, browser.version());
  } finally {
    await browser.close();
    await server.close();
  }
}
