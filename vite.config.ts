// The visualizer's page: web/index.html and what it imports, built to build/site.
//
// The wasm modules lie in build/wasm, outside the page's folder; web/src/wasm names them by
// new URL('../../../build/wasm/<name>.wasm', import.meta.url), which Vite serves and, in a build, copies with a hash.

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// Workers share memory only on a page that is isolated so: the experiments with threads need it, nothing else does.
const isolated = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root: `${root}web`,
  base: './', // any static server, any sub-path
  cacheDir: `${root}node_modules/.vite`,
  server: { fs: { allow: [root] }, headers: isolated },
  preview: { headers: isolated },
  worker: { format: 'es' },
  build: {
    outDir: `${root}build/site`,
    emptyOutDir: true,
    assetsInlineLimit: 0, // wasm and fonts stay files: a policy without data: URLs can serve the page
    target: 'es2022',
  },
});
