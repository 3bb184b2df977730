// Builds dist/, what `npm pack` ships. Its shape is the tree's shape, so that relative addresses stay true:
//
//   dist/package/*.js, *.d.ts      entries ".", "./full", "./trace", "./shrink", "./instrumented": tsc's output, not bundled   dist/web/src/...  what they import
//   dist/vendor/fflate.js          what trace files are packed by: tools/vendor_fflate.mjs
//   dist/visualizer, dist/attach   entries "./visualizer", "./visualizer/define", "./attach": bundled (bundle_glass.mjs)
//   dist/build/wasm/*.wasm         the modules, named by a literal URL in dist/web/src/wasm/heap_artefacts.js
//   dist/package/inline.js         entry "./inline": the same with the modules of dist/inline/*.js, which are text
//   dist/emscripten/include, lib   for C: the public headers, an archive per variant, and one per profile of malloc
//   dist/emscripten/cmake, ...     CMake, pkg-config, a port, examples: tools/build_systems.mjs
//   dist/emscripten/*.js           JavaScript libraries for emcc, of them the recorder: tools/build_recorder.mjs
//   dist/package/vite, playwright, webpack   entries "./vite", "./playwright", "./webpack" and, in vitest, "./vitest", with the instrumenter inside, and what they put into pages
//   build/package/THIRD_PARTY_LICENSES.md   what the bundles carry of others (third_party.mjs)
//   dist/bin, dist/site            the command heapglass and the page that it serves: tools/build_command_line.mjs
//
//   P1  A declaration or script is shipped only when an entry reaches it.
//   P2  Library mode would put the core's wasm into the script as base64; hence tsc for the core, Vite for the glass.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';
import { buildCommandLine } from './build_command_line.mjs';
import { placeEmscripten, writeBuildSystems } from './build_systems.mjs';
import { bundleGlass } from './bundle_glass.mjs';
import { recordMetafile, thirdPartyLicenses } from './third_party.mjs';
import { withVendoredFflate, writeFflate } from './vendor_fflate.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const emitted = join(root, 'build/package');
const kVariants = ['release', 'trace', 'checked'];
const kPlaced = ['placed', 'placed-trace', 'placed-checked', 'shared'];

execFileSync(join(root, 'wasm-build.sh'), { stdio: 'inherit' });
rmSync(dist, { recursive: true, force: true });
rmSync(emitted, { recursive: true, force: true });
execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, 'tsconfig.package.json')], { stdio: 'inherit' });
copyReached(
  [
    ...['package/index.js', 'package/full.js', 'package/trace.js', 'package/instrumented.js', 'package/shrink.js'],
    ...['package/vite/page.js', 'package/vite/record_page.js', 'web/src/heap/inline_heap.js'],
  ],
  scriptImports,
);
copyReached(
  [
    'index',
    'full',
    'trace',
    'attach',
    'instrumented',
    'playwright',
    'shrink',
    'vite',
    'vitest',
    'webpack',
    'visualizer',
    'define',
    'recorded/worker_script',
  ].map((name) => `package/${name}.d.ts`),
  declarationImports,
);
writeInline();
writeFflate(root, dist);
await bundleGlass(dist);
copyBinaries();
await bundleRecording();
await buildCommandLine(dist);
writeBuildSystems(dist);
write(join(root, 'build/package/THIRD_PARTY_LICENSES.md'), thirdPartyLicenses());

/** Copies the files given and all that they import, from tsc's output to dist (P1). */
function copyReached(entries, importsOf) {
  const waiting = [...entries];
  const seen = new Set(waiting);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { text, imports } = importsOf(readFileSync(join(emitted, path), 'utf8'));
    write(join(dist, path), withVendoredFflate(text, path));
    for (const specifier of imports) {
      const next = join(dirname(path), specifier);
      if (!seen.has(next)) waiting.push(next);
      seen.add(next);
    }
  }
}

function scriptImports(text) {
  return { text, imports: [...text.matchAll(/from '(\.[^']+\.js)'/g)].map(([, specifier]) => specifier) };
}

/** tsc leaves `.ts` in the declarations' imports; published ones name the script, as node16 resolution wants. */
function declarationImports(text) {
  const specifiers = /(from |import |import\()(['"])(\.[^'"]+)\.ts\2/g;
  return {
    text: text.replace(specifiers, '$1$2$3.js$2').replace(/^import '[^']+\.css';\n/gm, ''),
    imports: [...text.matchAll(specifiers)].map(([, , , path]) => `${path}.d.ts`),
  };
}

/** The entry whose modules are text: dynamic imports, so that a bundle that is split loads what is asked for. */
function writeInline() {
  const variants = [...kVariants, ...kPlaced];
  for (const variant of variants) {
    const bytes = readFileSync(join(root, `build/wasm/heapglass-${variant}.wasm`));
    write(join(dist, `inline/${variant}.js`), `export default '${bytes.toString('base64')}';\n`);
  }
  const modules = variants.map((variant) => `  '${variant}': () => import('../inline/${variant}.js'),`).join('\n');
  const from =
    "export { HeapError } from '../web/src/heap/heap_error.js';\nimport { createHeapOf } from '../web/src/heap/inline_heap.js';";
  write(join(dist, 'package/inline.js'), `${from}\nexport const createHeap = createHeapOf({\n${modules}\n});\n`);
  write(join(dist, 'package/inline.d.ts'), "export * from './full.js';\n");
}

async function bundleRecording() {
  const common = { bundle: true, metafile: true, legalComments: 'inline', logLevel: 'warning' };
  const onServer = await bundle({
    ...common,
    entryPoints: {
      'vite/plugin': join(root, 'package/vite.ts'),
      'playwright/fixture': join(root, 'package/playwright.ts'),
      'vitest/matchers': join(root, 'package/vitest/matchers.ts'),
      'webpack/plugin': join(root, 'package/webpack.ts'),
    },
    external: ['binaryen', '@playwright/test', 'vitest'],
    outdir: join(dist, 'package'),
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  const inPage = await bundle({
    ...common,
    entryPoints: {
      'playwright/in_page': join(root, 'package/playwright/in_page.ts'),
      'playwright/in_worker': join(root, 'package/playwright/in_worker.ts'),
      'vite/in_worker': join(root, 'package/vite/in_worker.ts'),
      'webpack/recorders.text': join(root, 'web/src/instrument/installed.ts'),
      'webpack/worker.text': join(root, 'package/vite/worker.ts'),
    },
    outdir: join(dist, 'package'),
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
  });
  // Whole: a package that it imported would be one that Vite has not prepared, and the page would load again.
  const inWorker = await bundle({
    ...common,
    entryPoints: { 'vite/worker': join(root, 'package/vite/worker.ts') },
    outdir: join(dist, 'package'),
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  for (const { metafile } of [onServer, inPage, inWorker]) recordMetafile(metafile);
}

function copyBinaries() {
  const wasm = join(root, 'build/wasm');
  for (const variant of [...kVariants, ...kPlaced]) {
    copy(join(wasm, `heapglass-${variant}.wasm`), join(dist, `build/wasm/heapglass-${variant}.wasm`));
  }
  placeEmscripten(dist);
  copy(join(wasm, 'demangle.wasm'), join(dist, 'build/wasm/demangle.wasm'));
  copy(join(root, 'package/wasm_asset.d.ts'), join(dist, 'package/wasm_asset.d.ts'));
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
