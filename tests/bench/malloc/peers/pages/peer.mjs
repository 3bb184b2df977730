// The other design of our own malloc front (pages.cpp), to be measured like any peer: blocks without headers in small pages,
// above them the quick lists and the heap of the core, compiled with it into one object.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const source = join(import.meta.dirname, 'pages.cpp');
// The largest class and the least page that came out best of those measured (see the head of pages.cpp for the others).
const kParameters = ['-DPAGES_LARGEST=64', '-DPAGES_UNIT_LOG=11', '-DPAGES_QUICK=1'];
// What the archives libheapglass-malloc-fast are compiled with.
const kFlags = [
  ...['-xc++', '-std=c++20', '-O3', '-fno-builtin', '-mbulk-memory', '-w'],
  ...['-fno-exceptions', '-fno-rtti', '-fno-threadsafe-statics'],
  ...['-DHG_TRACE=0', '-DHG_CHECKED=0', '-DHG_MALLOC=1'],
];

const sourcesOfCore = () =>
  readdirSync(join(root, 'core'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(h|hpp|cpp)$/.test(path) && !/abi\/(wasm_|libc_)/.test(path))
    .sort()
    .map((path) => join(root, 'core', path));

export default {
  name: 'pages',
  threads: false,
  /** @param {string} [emcc] else the one that wasm-build.sh finds */
  async prepare(emcc) {
    const run = (given) =>
      execFileSync(join(root, 'wasm-build.sh'), ['emcc', ...given], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: emcc === undefined ? process.env : { ...process.env, EMCC: emcc },
      });
    const sources = [...sourcesOfCore(), source];
    const key = createHash('sha256').update(JSON.stringify([run(['--version']), kFlags, kParameters]));
    for (const path of sources) key.update(readFileSync(path));
    const out = join(root, 'build/peers/pages');
    const name = `pages-${key.digest('hex').slice(0, 12)}`;
    const object = join(out, `${name}.o`);
    if (!existsSync(object)) {
      mkdirSync(out, { recursive: true });
      const whole = join(out, `${name}.cpp`);
      const includes = sources.filter((path) => path.endsWith('.cpp')).map((path) => `#include "${path}"\n`);
      writeFileSync(whole, includes.join(''));
      const folders = [`-I${root}core/include`, `-I${root}core/src`];
      try {
        run([...kFlags, ...kParameters, ...folders, '-c', whole, '-o', `${object}.part.o`]);
      } catch (error) {
        console.log(`peers: pages does not compile with this core: ${/.*error:.*/.exec(String(error.stderr))?.[0]}`);
        return undefined;
      }
      renameSync(`${object}.part.o`, object);
    }
    return [object];
  },
};
