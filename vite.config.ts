// The visualizer's page: web/index.html and what it imports, built to build/site.
//
// The wasm modules lie in build/wasm, outside the page's folder; web/src/wasm names them by
// new URL('../../../build/wasm/<name>.wasm', import.meta.url), which Vite serves and, in a build, copies with a hash.

import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { glassDocument } from './tools/bundle_glass.mjs';
import { nameWorker, preloadEngine } from './tools/preload_engine.mjs';
import { sealedWorker } from './tools/sealed_worker.mjs';

// Workers share memory only on a page that is isolated so: the experiments with threads need it, nothing else does.
const isolated = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const root = fileURLToPath(new URL('.', import.meta.url));

/** glass.html: the page that looks at one trace, all in one file; the page saves it with a trace inside. */
const singleFile = (): Plugin => ({
  name: 'single-file',
  apply: (_, { isPreview }) => isPreview !== true,
  configureServer: ({ middlewares }) => {
    middlewares.use('/glass.html', async (_, response) => response.end(await glassDocument()));
  },
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'glass.html', source: await glassDocument() });
  },
});

export default defineConfig({
  plugins: [singleFile(), sealedWorker(), preloadEngine()],
  root: `${root}web`,
  base: './', // any static server, any sub-path
  cacheDir: `${root}node_modules/.vite`,
  server: { fs: { allow: [root] }, headers: isolated },
  preview: { headers: isolated },
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: nameWorker } } },
  build: {
    outDir: `${root}build/site`,
    emptyOutDir: true,
    assetsInlineLimit: 0, // wasm and fonts stay files: a policy without data: URLs can serve the page
    target: 'es2022',
  },
});
