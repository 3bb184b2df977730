// Which mutants of the core a run judges: the first of a seeded order that a compiler can read, as many as are asked for. The
// order depends on the sources and the seed alone.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const kTool = 'universalmutator==1.14.1';
/** Built for wasm alone. */
const kNotNative = /core\/src\/(abi\/(wasm|libc)_|platform\/(wasm|placed)_)/;
const kFolder = fileURLToPath(new URL('.', import.meta.url));

/** universalmutator in a Python environment of its own below `work`. Needs the network once. */
export function installTool(work) {
  const venv = join(work, 'venv');
  const stamp = join(venv, 'installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== kTool) {
    console.log(`installing ${kTool} into ${venv}`);
    execFileSync('python3', ['-m', 'venv', venv], { stdio: 'inherit' });
    execFileSync(join(venv, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', kTool], {
      stdio: 'inherit',
    });
    writeFileSync(stamp, kTool);
  }
  return join(venv, 'bin/python');
}

/** Resolves to `sample` mutants that a compiler reads, by file and line: so each file is compiled back once. */
export async function drawSample(build, python, { sample, seed, under, line }) {
  const files = build.coreFiles().filter((file) => file.startsWith(under) && !kNotNative.test(file));
  const drawn = [];
  let unread = 0;
  const all = listMutants(python, build.tree, files).filter(
    (mutant) => line === undefined || mutant.line === Number(line),
  );
  for (const mutant of shuffled(all, Number(seed))) {
    if (drawn.length === Number(sample)) break;
    const text = mutatedText(readFileSync(join(build.tree, mutant.file), 'utf8'), mutant);
    if (await build.reads(text)) drawn.push(mutant);
    else unread += 1;
  }
  console.log(`drew ${drawn.length} mutants with seed ${seed}; the compiler refused ${unread} others`);
  return drawn.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.to.localeCompare(b.to));
}

/** All mutants of the files, each {file, line, from, to}: the whole line before and after. */
function listMutants(python, tree, files) {
  const lines = execFileSync(python, [join(kFolder, 'core_mutants.py'), tree, ...files], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const sources = new Map(files.map((file) => [file, readFileSync(join(tree, file), 'utf8').split('\n')]));
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .map(({ file, line, to }) => ({ file, line, from: sources.get(file)[line - 1], to: to.replace(/\n$/, '') }));
}

/** mulberry32: the same numbers from the same seed everywhere. */
function* numbersBelow1(seed) {
  for (let state = seed >>> 0; ; ) {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** The list in an order of its own for each seed. */
function shuffled(list, seed) {
  const order = [...list];
  const numbers = numbersBelow1(seed);
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(numbers.next().value * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}

/** The source with the mutant in it. */
export function mutatedText(text, { line, to }) {
  const lines = text.split('\n');
  lines[line - 1] = to;
  return lines.join('\n');
}
