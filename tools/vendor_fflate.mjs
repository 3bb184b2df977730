// The package has no dependencies: the one library that its scripts use, fflate (inflate and deflate of trace files), is
// shipped as a script beside them, and the bare import names that script.

import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { buildSync } from 'esbuild';
import { recordMetafile } from './third_party.mjs';

const kPlace = 'vendor/fflate.js';
const kBare = /from 'fflate'/g;

/** The text of a script at `path` (below dist), its import of fflate led to the copy. */
export function withVendoredFflate(text, path) {
  return text.replace(kBare, `from '${relative(dirname(path), kPlace).replace(/^(?!\.)/, './')}'`);
}

/** Writes that copy: what pack.ts uses of it. */
export function writeFflate(root, dist) {
  const folder = join(root, 'node_modules/fflate');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const license = readFileSync(join(folder, 'LICENSE'), 'utf8').replaceAll('*/', '');
  const { metafile } = buildSync({
    stdin: { contents: "export { deflateSync, Inflate, inflateSync } from 'fflate';", resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    minify: true,
    metafile: true,
    banner: { js: `/*! fflate ${version}\n${license}*/` },
    outfile: join(dist, kPlace),
  });
  recordMetafile(metafile);
}
