// Bundles what shows heaps, by Vite with d3 and the worker inside, so that any bundler or plain static server can serve it:
//
//   dist/visualizer/visualizer.js, define.js   the element; what they share lies beside them
//   dist/visualizer/worker.js                  its worker alone, for pages that may start none from a blob: address
//   dist/instrumented/worker.js                what the workers of a page load that records a module with threads
//   dist/attach/attach.js                      heapglass/attach
//   dist/attach/glass.js                       the glass as one HTML text, loaded when a window is opened
//
//   V1  The worker of a viewer looks at traces and holds no wasm module (web/src/engine/trace_engine.ts).

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { recordBundled } from './third_party.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What every bundle has. */
const kBundle = {
  configFile: false,
  root,
  logLevel: 'warn',
  // A worker that is part of the script is no module: a document opened from disk may start none from a blob: address.
  worker: { format: 'iife', plugins: () => [recordBundled()] },
  build: { target: 'es2022', emptyOutDir: false, copyPublicDir: false, minify: true },
};

export async function bundleGlass(dist) {
  const html = await glassDocument();
  await build({
    ...kBundle,
    plugins: [inlineWorker(), viewerOnly(), sheetsByElementOnly(), documentText(html), recordBundled()],
    build: {
      ...kBundle.build,
      outDir: dist,
      lib: {
        entry: {
          'visualizer/visualizer': join(root, 'package/visualizer.ts'),
          'visualizer/define': join(root, 'package/define.ts'),
          'attach/attach': join(root, 'package/attach.ts'),
        },
        formats: ['es'],
      },
      rolldownOptions: {
        output: {
          minify: true, // spaces too, which Vite leaves in libraries for the sake of annotations that nobody needs of a bundle
          chunkFileNames: ({ name }) => (name.endsWith('glass_page') ? 'attach/glass.js' : `visualizer/${name}.js`),
        },
      },
    },
  });
  // The worker by itself, for pages that may start none from a blob: address.
  await bundleWorker(join(dist, 'visualizer'), 'web/src/engine/viewer_worker.ts', 'es');
  await bundleWorker(join(dist, 'instrumented'), 'web/src/instrument/thread_worker.ts', 'iife');
}

/** As worker.js in a folder. */
async function bundleWorker(outDir, entry, format) {
  const lib = {
    entry: { worker: join(root, entry) },
    formats: [format],
    name: 'heapglass',
    fileName: () => 'worker.js',
  };
  const rolldownOptions = { output: { minify: true } };
  await build({ ...kBundle, plugins: [recordBundled()], build: { ...kBundle.build, outDir, lib, rolldownOptions } });
}

/** The glass as one HTML text: the page with the engine of traces, without programs, experiments, documentation and fonts. */
export async function glassDocument() {
  const { output } = await build({
    ...kBundle,
    plugins: [inlineWorker(), viewerOnly(), recordBundled()],
    build: {
      ...kBundle.build,
      write: false,
      cssCodeSplit: false,
      lib: { entry: { glass: join(root, 'web/src/attach/glass_page.ts') }, formats: ['es'] },
    },
  }).then(([built]) => built);
  const script = output.find(({ type }) => type === 'chunk').code;
  const sheet = output.find(({ fileName }) => fileName.endsWith('.css')).source;
  if (output.length !== 2)
    throw new Error(`the glass is more than a script and a sheet: ${output.map((it) => it.fileName)}`);
  const quoted = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const page = readFileSync(join(root, 'web/index.html'), 'utf8').replace(
    /<link rel="icon".*/,
    '<link rel="icon" href="data:," />',
  );
  // The page's policy with its one script by name, and the workers that come along: nothing else runs, whoever writes into the document.
  const hash = createHash('sha256').update(quoted).digest('base64');
  const policy = `default-src 'none'; script-src 'sha256-${hash}' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src https: http: blob: data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types heapglass`;
  return page
    .replace(/content="default-src[^"]*"/, () => `content="${policy}"`)
    .replace('</head>', () => `<style>${sheet}</style></head>`)
    .replace(/<script type="module".*<\/script>/, () => `<script type="module">${quoted}</script>`);
}

/** The client names its worker by address; here the worker becomes part of the script, as a Blob of what Vite bundles. */
function inlineWorker() {
  const byAddress = /^(import script from '[^']+\?worker)&url';$/m;
  const startedByVite = /export default function WorkerWrapper[\s\S]*$/;
  const exchange = (code, pattern, by, id) => {
    if (!pattern.test(code)) throw new Error(`${id} is no longer what inlineWorker knows`);
    return code.replace(pattern, by);
  };
  return {
    name: 'inline-worker',
    enforce: 'post', // a worker's own module is Vite's by then
    transform(code, id) {
      if (/_worker\.ts\?worker&inline$/.test(id)) return exchange(code, startedByVite, 'export default blob;', id);
      return undefined;
    },
    load(id) {
      if (!/web\/src\/client\/start_(viewer|map)\.ts$/.test(id)) return undefined;
      return exchange(readFileSync(id, 'utf8'), byAddress, "$1&inline';", id);
    },
  };
}

/** The page of a glass that looks at one trace or program: what needs the project's own modules and texts is left out. */
export function viewerOnly() {
  const startViewer = "export { startViewer as startEngine } from './start_viewer.ts';";
  const makesSomethingRun = (view) => /^ {2}runs: true,$/m.test(readFileSync(view, 'utf8'));
  return {
    name: 'viewer-only',
    enforce: 'pre',
    load(id) {
      if (id.endsWith('web/src/client/start_engine.ts')) return startViewer;
      const isPanel = /web\/src\/panels\/\w+\/view\.ts$/.test(id);
      return isPanel && makesSomethingRun(id) ? 'export const panel = { runs: true };' : undefined; // panels/page.ts leaves it out
    },
  };
}

/** An import of `<page>?document` gives the document's text. */
function documentText(html) {
  return {
    name: 'document-text',
    enforce: 'pre',
    resolveId: (source) => (source.endsWith('glass_page.ts?document') ? '\0glass_page' : undefined),
    load: (id) => (id === '\0glass_page' ? `export default ${JSON.stringify(html)};` : undefined),
  };
}

/** Views import their sheet for the page; the element takes the text (`?inline`) into its shadow instead. */
function sheetsByElementOnly() {
  return {
    name: 'sheets-by-element-only',
    enforce: 'pre',
    load: (id) => (id.endsWith('.css') ? '' : undefined),
  };
}
