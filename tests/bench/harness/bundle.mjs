// Turns a TypeScript entry of the benches into one script that Node runs as it is, by Vite: what is measured is the
// code that ships, not a loader's view of it.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { root } from './compile.mjs';

/** Bundles tests/bench/<entry>.ts and imports it. */
export async function importBundled(entry) {
  const outDir = join(root, 'build/bench/scripts');
  const name = entry.replaceAll('/', '_');
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      ssr: join(root, `tests/bench/${entry}.ts`),
      outDir,
      emptyOutDir: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: `${name}.mjs` } },
    },
  });
  return import(pathToFileURL(join(outDir, `${name}.mjs`)).href);
}
