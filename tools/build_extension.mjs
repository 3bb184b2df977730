// Builds build/extension, the extension for DevTools, as the browser loads it: its pages by Vite, its scripts in pages by esbuild.
//
//   npm run build:extension
//
//   manifest.json, devtools.html, panel.html, assets/   bridge.js, in_page.js, in_worker.js
//
//   ext.1  A browser runs no script from elsewhere in an extension: everything it needs is inside.

import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';
import { build } from 'vite';
import { viewerOnly } from './bundle_glass.mjs';
import { recordBundled, thirdPartyLicenses } from './third_party.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'extension');

/** @param {string} [out] */
export async function buildExtension(out = join(root, 'build/extension')) {
  rmSync(out, { recursive: true, force: true });
  const pages = ['devtools', 'panel'];
  await build({
    configFile: false,
    root: source,
    base: './',
    logLevel: 'warn',
    plugins: [viewerOnly(), recordBundled()],
    worker: { format: 'es', plugins: () => [recordBundled()] },
    build: {
      outDir: out,
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 20_000, // KB: Binaryen
      rolldownOptions: { input: pages.map((page) => join(source, `${page}.html`)) },
    },
  });
  await bundle({
    entryPoints: ['bridge', 'in_page', 'in_worker'].map((name) => join(source, `${name}.ts`)),
    outdir: out,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'inline',
    logLevel: 'warning',
  });
  copyFileSync(join(source, 'manifest.json'), join(out, 'manifest.json'));
  copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
  writeFileSync(join(out, 'THIRD_PARTY_LICENSES.md'), thirdPartyLicenses());
  return out;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await buildExtension());
