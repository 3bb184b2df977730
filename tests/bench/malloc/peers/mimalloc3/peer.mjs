// mimalloc 3, newer than the one in Emscripten's releases up to 2025, compiled with the flags Emscripten compiles its own
// with. It stands on emmalloc, as there.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fetchCrate, root } from '../../../../../tools/fetch/crates.mjs';

const crate = {
  name: 'libmimalloc-sys',
  version: '0.1.49',
  sha256: '6a45a52f43e1c16f667ccfe4dd8c85b7f7c204fd5e3bf46c5b0db9a5c3c0b8e9',
};
const source = join(import.meta.dirname, 'peer.c');
const kFlags = ['-O3', '-fno-builtin', '-w', '-DMI_MALLOC_OVERRIDE', '-DMI_DEBUG=0'];

export default {
  name: 'mimalloc3',
  threads: true,
  /** @param {string} [emcc] else the one that wasm-build.sh finds */
  async prepare(emcc, { threads = false, secure = false } = {}) {
    const folder = fetchCrate(crate);
    if (folder === undefined) return undefined;
    const flags = [...kFlags, ...(threads ? ['-pthread'] : []), ...(secure ? ['-DMI_SECURE=4'] : [])];
    const run = (given) =>
      execFileSync(join(root, 'wasm-build.sh'), ['emcc', ...given], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: emcc === undefined ? process.env : { ...process.env, EMCC: emcc },
      });
    const version = run(['--version']).split('\n')[0];
    const key = createHash('sha256')
      .update(JSON.stringify([version, flags, crate]))
      .update(readFileSync(source));
    const out = join(root, 'build/peers/mimalloc3');
    const object = join(out, `mimalloc3-${key.digest('hex').slice(0, 12)}.o`);
    if (!existsSync(object)) {
      mkdirSync(out, { recursive: true });
      const mimalloc = join(folder, 'c_src/mimalloc/v3');
      console.log(`peers: compiling mimalloc 3 by ${version}`);
      try {
        run([...flags, `-I${mimalloc}/include`, `-I${mimalloc}/src`, '-c', source, '-o', `${object}.part.o`]);
      } catch (error) {
        console.log(`peers: this compiler cannot build mimalloc 3: ${String(error.stderr).split('\n')[0]}`);
        return undefined;
      }
      renameSync(`${object}.part.o`, object);
    }
    return [object, '-sMALLOC=emmalloc'];
  },
};
