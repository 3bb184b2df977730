// How many bytes of wasm an allocator costs: a module that does nothing but export the calls (full_set.c), less the same
// module over a bump allocator. Linked as programs are, with Emscripten's JavaScript; only the wasm is weighed, nothing runs.

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callEmxx, emccVersion, root } from '../harness/compile.mjs';
import { eachAtOnce } from './at_once.mjs';
import { assertLinked } from './build.mjs';
import { compileObject, digest } from './objects.mjs';

const outFolder = join(root, 'build/bench/sizes');
const source = (file) => join(root, 'tests/bench/malloc', file);

const kFamilies = { full: ['-DBENCH_FAMILY'], 'malloc+free': [] };
const kLevels = ['O3', 'Oz'];
const kLink = ['-sALLOW_MEMORY_GROWTH', '--no-entry', '-Wno-pthreads-mem-growth'];

/** Bytes of the module; linked once for the same command line and files. */
async function weigh(name, flags, words) {
  const contents = flags.filter((flag) => existsSync(flag)).map((flag) => readFileSync(flag));
  const out = join(outFolder, `${name}-${digest(emccVersion(), ...flags, ...words, ...contents)}`);
  const stamp = `${out}.done`;
  if (!existsSync(stamp)) {
    mkdirSync(outFolder, { recursive: true });
    const map = await callEmxx([...words, ...flags, '-Wl,--print-map', '-o', `${out}.js`], name);
    assertLinked(map, { name, flags }, name);
    writeFileSync(stamp, '');
  }
  return statSync(`${out}.wasm`).size;
}

/**
 * @param {import('./allocators.mjs').Allocator[]} allocators
 * @returns {Promise<{ allocator: string, level: 'O3' | 'Oz', threads: boolean, family: 'full' | 'malloc+free',
 *   bytes: number }[]>} bytes over the bump allocator
 */
export async function measureSizes(allocators) {
  const combinations = [false, true].flatMap((threads) =>
    kLevels.flatMap((level) => Object.keys(kFamilies).map((family) => ({ threads, level, family }))),
  );
  const bump = { name: 'bump' };
  const modules = combinations.flatMap((combination) =>
    [bump, ...allocators.filter((one) => flagsOf(one, combination) !== undefined)].map((allocator) => ({
      allocator,
      combination,
    })),
  );
  const weights = await eachAtOnce(modules, async ({ allocator, combination: { threads, level, family } }) => {
    const common = [`-${level}`, ...(threads ? ['-pthread'] : [])];
    const compile = [...common, '-fno-builtin'];
    const object = await compileObject(source('full_set.c'), [...compile, ...kFamilies[family]]);
    const words = [object, ...common, ...kLink];
    if (allocator !== bump) return weigh(allocator.name, flagsOf(allocator, { threads }), words);
    return weigh('bump', [await compileObject(source('runtime/bump.c'), compile)], words);
  });
  const baseOf = (combination) =>
    weights[modules.findIndex((module) => module.allocator === bump && module.combination === combination)];
  return modules.flatMap(({ allocator, combination }, i) =>
    allocator === bump ? [] : { allocator: allocator.name, ...combination, bytes: weights[i] - baseOf(combination) },
  );
}

const flagsOf = ({ flags, threadFlags }, { threads }) => (threads ? threadFlags : flags);
