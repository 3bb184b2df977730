// A plugin for Vite: `import { code, wasm } from '<worker>?sealed'` gives a worker bundled to one text, as one that can load nothing
// needs it, and the address of the module for it. esbuild bundles it, in a build and for the page that is being worked on alike.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const kModule = join(root, 'build/wasm/heapglass-trace.wasm');
const kEnding = '?sealed';

export function sealedWorker() {
  return {
    name: 'sealed-worker',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(kEnding)) return undefined;
      const { outputFiles, metafile } = await build({
        entryPoints: [id.slice(0, -kEnding.length)],
        bundle: true,
        minify: true,
        keepNames: true, // errors of a script are named by their classes
        format: 'iife',
        platform: 'browser',
        target: 'es2022',
        write: false,
        metafile: true,
        absWorkingDir: root,
        define: { 'import.meta.url': '"about:blank"' }, // its module comes as bytes
        logLevel: 'error',
      });
      for (const path of Object.keys(metafile.inputs)) this.addWatchFile(join(root, path));
      const [{ text }] = outputFiles;
      return `export const code = ${JSON.stringify(text)};\nexport { default as wasm } from ${JSON.stringify(`${kModule}?url`)};\n`;
    },
  };
}
