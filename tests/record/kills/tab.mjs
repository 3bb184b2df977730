// A tab that ends at any moment, because its process is killed or a test closes it: what has left it by then.
//
//   instrumented   heapglass/playwright records the page, and is asked when the page is no more; what is closed, it closes
//   linked         a listener of Module.heapglass posts what it gets

import { copyFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { launchOptions } from '../../../tools/find_chromium.mjs';

const kTypes = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};
const kPage = ['tab.html', 'tab_page.mjs', 'pace.mjs'];

/** A browser and a server for the tabs of `folder`, where the modules lie; `dist`: the package. */
export async function openTabs(folder, dist) {
  for (const name of kPage) copyFileSync(fileURLToPath(new URL(name, import.meta.url)), join(folder, name));
  const { RecordedHeap } = await import(join(dist, 'package/playwright/fixture.js'));
  const { TraceFileWriter, packRecords } = await import(join(dist, 'package/trace.js'));
  const makeWriter = () => new TraceFileWriter({ pack: packRecords });
  const server = createServer(async ({ url }, response) => {
    const file = join(folder, new URL(url, 'http://localhost').pathname.slice(1));
    const bytes = await readFile(file).catch(() => undefined);
    response.writeHead(bytes === undefined ? 404 : 200, { 'content-type': kTypes[extname(file)] ?? '' }).end(bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch(launchOptions());
  const address = `http://127.0.0.1:${server.address().port}/tab.html`;
  const given = { browser, address, folder, RecordedHeap, makeWriter };
  return {
    /** The notes of the page, and the path of its trace. */
    endOne: (of) => endTab({ ...given, ...of }),
    async close() {
      await browser.close();
      server.close();
    },
  };
}

async function endTab({ browser, address, folder, RecordedHeap, makeWriter, module, seed, after, ending }) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const heap = new RecordedHeap(page, (name) => join(folder, name));
  const [notes, packets] = [[], []];
  await context.exposeFunction('takeNote', (entry) => void notes.push(...entry));
  await context.exposeFunction(
    'takeRecords',
    (text) => void packets.push(new Uint32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)),
  );
  if (module === 'instrumented') await heap.record(context);
  await page.goto(`${address}?module=${module}&seed=${seed}&after=${after}`, { waitUntil: 'commit' });
  while (notes.length === 0) await pause(5);
  await pause(after);
  await (ending === 'closed' ? page.close() : endProcess(browser, page));
  const path = module === 'instrumented' ? (await heap.traces())[0].path : written(folder, packets, makeWriter());
  await context.close();
  return { log: Float64Array.from(notes), path };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The page's process, of all that this browser has the only one of its kind. */
async function endProcess(browser, page) {
  const crashed = new Promise((resolve) => page.once('crash', resolve));
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
  await crashed;
}

function written(folder, packets, writer) {
  const path = join(folder, 'tab.hgtrace');
  writeFileSync(path, Buffer.concat([...packets.flatMap((records) => writer.append(records)), ...writer.end()]));
  return path;
}
