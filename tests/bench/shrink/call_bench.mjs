// npm run bench:forwarders - what a call from JavaScript costs more in a program linked with --shrink, which never shrinks: every exported
// function stands behind a forwarder. Functions of C, of embind, and texts given to SQLite and Lua (./wasm-build.sh). Nanoseconds a call, the fastest of many rounds of a millisecond, programs in turn, each in a process of its own.
//
//   less    the same program without --shrink        goal: 1 % of a call
//
//   --json file

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { writeShrink } from '../../../tools/build_recorder.mjs';
import { archive, callEmcc, root } from '../harness/compile.mjs';
import { fixed, printTable, writeJson } from '../harness/report.mjs';

const kTurns = 10;
const kGoal = 0.01;
const kExports = [
  ...['hg_malloc_trim', 'hg_heap_returnable', 'hg_heap_free_pages', 'hg_memory_free_pages'],
  'hg_malloc_cached_pages',
  ...['hg_memory_end', 'hg_memory_moved', 'hg_memory_scratch'],
];
const folder = join(root, 'build/bench/shrink');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');

async function link(name, source, flags) {
  const out = join(folder, `${name}.js`);
  const given = ['-O3', '-fno-builtin-malloc', '-fno-builtin-free', archive('malloc-fast'), ...flags];
  const how = ['-sALLOW_MEMORY_GROWTH', '-sMODULARIZE', '-o', out];
  await callEmcc([join(root, 'tests/link/programs', source), ...given, ...how], name);
  return out;
}

const script = join(folder, 'call_bench.cjs');
buildSync({
  entryPoints: [join(root, 'tests/bench/shrink/call_bench.ts')],
  outfile: script,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  logLevel: 'error',
});
const shrinking = [
  `-Wl,${kExports.map((each) => `--export=${each}`).join(',')}`,
  ...['--pre-js', writeShrink(join(root, 'build/emscripten'))],
];
const embind = ['-lembind', '-fexceptions'];
const programs = {
  less: [await link('called', 'called.c', []), await link('bound', 'shrinks_bound.cpp', embind), '0'],
  more: [
    await link('called_shrinks', 'called.c', shrinking),
    await link('bound_shrinks', 'shrinks_bound.cpp', [...embind, ...shrinking]),
    '1',
  ],
};

const least = { less: {}, more: {} };
for (let turn = 0; turn < kTurns; ++turn) {
  for (const [name, given] of Object.entries(programs)) {
    const printed = execFileSync(
      process.execPath,
      ['--no-experimental-fetch', script, join(root, 'build/wasm'), ...given],
      {
        encoding: 'utf8',
      },
    );
    const { found } = JSON.parse(printed.slice(printed.lastIndexOf('\n{') + 1));
    for (const [what, ns] of Object.entries(found)) {
      least[name][what] = Math.min(least[name][what] ?? Number.POSITIVE_INFINITY, ns);
    }
  }
}
const rows = Object.keys(least.less).map((what) => ({ what, less: least.less[what], more: least.more[what] }));
printTable(
  'A call from JavaScript, ns',
  ['', 'without --shrink', 'with', 'more', 'share', `goal ${100 * kGoal} %`],
  rows.map(({ what, less, more }) => [
    what,
    ...[less, more, more - less].map((ns) => fixed(ns, 2)),
    `${fixed((100 * (more - less)) / less, 1)} %`,
    more / less <= 1 + kGoal ? 'met' : 'NOT met',
  ]),
);
writeJson({ bench: 'forwarders', rows });
