// npm run check:hosts: modules from npm on a plain static server, without and with the extension: equal results, a heap in the panel, and
// with call stacks the line of the page's script that leaks.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildExtension } from '../../../tools/build_extension.mjs';
import { asked, type Inspected, inspect, settled, type Target } from '../../extension/devtools.ts';
import { serve } from '../static_server.ts';
import { kWork } from './apps.ts';

const kModules = '/node_modules';
const kPatience = 200_000; // milliseconds: beside other work Python alone takes 20 seconds to begin

/** Package, and what a page finds out with it. */
const kApps: Readonly<Record<string, string>> = {
  'sql.js': `await new Promise((loaded) => {
      document.head.append(Object.assign(document.createElement('script'), { src: '${kModules}/sql.js/dist/sql-wasm.js', onload: loaded }));
    });
    const db = new (await initSqlJs({ locateFile: (file) => '${kModules}/sql.js/dist/' + file })).Database();
    ${kWork['sql.js']}`,
  '@sqlite.org/sqlite-wasm': `const { default: init } = await import('${kModules}/@sqlite.org/sqlite-wasm/index.mjs');
    const db = new (await init()).oo1.DB(':memory:');
    ${kWork['@sqlite.org/sqlite-wasm']}`,
  mupdf: `const mupdf = await import('${kModules}/mupdf/dist/mupdf.js');
    const file = new mupdf.PDFDocument();
    for (let nth = 1; nth < 20; ++nth)
      file.insertPage(-1, file.addPage([0, 0, 300, 300], 0, file.newDictionary(), '0 0 m ' + nth + ' 9 l S'));
    const kept = (globalThis.kept = []);
    for (let nth = 0; nth < 60; ++nth)
      kept.push(file.loadPage(0).toPixmap([1, 0, 0, 1, 0, 0], mupdf.ColorSpace.DeviceGray)); // leak
    globalThis.found = file.loadPage(3).toPixmap([1, 0, 0, 1, 0, 0], mupdf.ColorSpace.DeviceGray).getPixels().join();`,
  '@resvg/resvg-wasm': `const { initWasm, Resvg } = await import('${kModules}/@resvg/resvg-wasm/index.mjs');
    await initWasm(fetch('${kModules}/@resvg/resvg-wasm/index_bg.wasm'));
    ${kWork['@resvg/resvg-wasm']}`,
  '@opencvjs/web': `const { loadOpenCV } = await import('${kModules}/@opencvjs/web/lib/index.js');
    const cv = await loadOpenCV();
    ${kWork['@opencvjs/web']}`,
  '@rdkit/rdkit': `await new Promise((loaded) => {
      document.head.append(Object.assign(document.createElement('script'), { src: '${kModules}/@rdkit/rdkit/dist/RDKit_minimal.js', onload: loaded }));
    });
    const kit = await initRDKitModule({ locateFile: (file) => '${kModules}/@rdkit/rdkit/dist/' + file });
    ${kWork['@rdkit/rdkit']}`,
  pyodide: `const { loadPyodide } = await import('${kModules}/pyodide/pyodide.mjs');
    const python = await loadPyodide({ indexURL: '${kModules}/pyodide/' });
    ${kWork.pyodide}`,
  '@electric-sql/pglite': `const { PGlite } = await import('${kModules}/@electric-sql/pglite/dist/index.js');
    const db = new PGlite();
    ${kWork['@electric-sql/pglite']}`,
};
/** The apps with a line that leaks. */
const kLeaky = Object.entries(kApps).filter(([, script]) => script.includes('// leak'));
const fileOf = (name: string): string => `${name.replaceAll(/\W/g, '_')}.html`;

let folder: string;
let server: Awaited<ReturnType<typeof serve>>;
let inspected: Inspected;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heapglass-extension-'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options, ...Object.keys(kApps)], { cwd: folder });
  for (const [name, script] of Object.entries(kApps)) {
    const timed = `const begun = performance.now();\n${script}\nglobalThis.took = performance.now() - begun;`;
    const head = `<!doctype html><link rel="icon" href="data:," /><title>${name}</title>`;
    writeFileSync(join(folder, fileOf(name)), `${head}<script type="module">${timed}</script>`);
  }
  server = await serve(folder);
  inspected = await inspect(await buildExtension(join(folder, 'extension')));
});
afterAll(async () => {
  await inspected?.close();
  server?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** An expression: the last answer of the panel's glass. */
const kAnswer = `document.querySelector('hg-glass')?.shadowRoot?.querySelector('.hg-answer__sentence')?.textContent ?? 'no answer'`;

async function result(): Promise<{ readonly found: unknown; readonly took: number }> {
  const done = await inspected.page.waitForFunction(
    () => {
      const { found, took } = globalThis as { found?: unknown; took?: number };
      return took === undefined ? undefined : { found, took };
    },
    undefined,
    { timeout: kPatience },
  );
  return (await done.jsonValue()) as { found: unknown; took: number };
}

/** What the page finds out when the panel records it. */
async function recorded(panel: Target): ReturnType<typeof result> {
  await inspected.page.evaluate(() => Object.assign(globalThis, { took: undefined }));
  await panel.evaluate(`document.getElementById('record').click()`);
  return result();
}

test.each(Object.keys(kApps))(
  '%s',
  async (name) => {
    await inspected.page.goto(`${server.address}/${fileOf(name)}`);
    const plain = await result();
    const panel = await inspected.panel();
    const times: number[] = [plain.took];
    for (const _ of ['first', 'kept']) {
      const { found, took } = await recorded(panel);
      expect(found).toBe(plain.found);
      times.push(took);
      const events = await panel.until<string>(
        `/event\\s[1-9][\\d,]+/.exec(document.querySelector('hg-glass')?.shadowRoot?.textContent ?? '')?.[0]`,
      );
      console.log(`${name}: ${events}, ${times.map(Math.round).join(', ')} ms plain, first, kept`);
    }
  },
  3 * kPatience,
);

test.each(kLeaky)(
  'the leak of the page with %s has the line of its script',
  async (name) => {
    const address = `${server.address}/${fileOf(name)}`;
    await inspected.page.goto(address);
    const plain = await result();
    const panel = await inspected.panel();
    const choose = () => panel.evaluate(`document.getElementById('callers').click()`);
    await choose();
    expect((await recorded(panel)).found).toBe(plain.found);
    await choose();
    await settled(panel);
    const lines = readFileSync(join(folder, fileOf(name)), 'utf8').split('\n');
    const line = 1 + lines.findIndex((each) => each.includes('// leak'));
    const ask = () => panel.until<string>(asked('What leaked', `${fileOf(name)}:${line}`));
    const said = await ask() // the engine may still read millions of events
      .catch(ask)
      .catch(() => panel.evaluate<string>(kAnswer));
    console.log(`${name}: ${said}`);
    expect(said).toContain(`${fileOf(name)}:${line}`);
  },
  3 * kPatience,
);
