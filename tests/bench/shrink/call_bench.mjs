// npm run bench:forwarders - what a call from JavaScript costs more in a program linked with --shrink, which never shrinks: every exported
// function stands behind a forwarder. Functions of C and of embind, and texts given to SQLite and Lua (./wasm-build.sh).
//
//   ns      a call: the fastest round of a millisecond, of many in turn
//   share   with / without; goal: 1.01
//
//   B1  Each row has a process of its own, and each of its two programs a copy of the script (call_bench.ts): an engine that has seen one
//       program does nothing else with the other.
//
//   --json file

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { writeShrink } from '../../../tools/build_recorder.mjs';
import { archive, callEmcc, root } from '../harness/compile.mjs';
import { fixed, printTable, writeJson } from '../harness/report.mjs';

const kRounds = 1500;
const kGoal = 1.01;
const kExports = [
  ...['hg_malloc_trim', 'hg_heap_returnable', 'hg_heap_free_pages', 'hg_memory_free_pages'],
  'hg_malloc_cached_pages',
  ...['hg_memory_end', 'hg_memory_moved', 'hg_memory_scratch'],
];
const folder = join(root, 'build/bench/shrink');
const script = join(folder, 'call_bench.cjs');

/** B1 */
function freshCopy() {
  const module = { exports: {} };
  new Function('module', 'exports', 'require', readFileSync(script, 'utf8'))(
    module,
    module.exports,
    createRequire(script),
  );
  return module.exports;
}

async function measureRow(name, programs) {
  const less = await freshCopy().open(name, programs.less);
  const more = await freshCopy().open(name, programs.more);
  const ns = { less: Number.POSITIVE_INFINITY, more: Number.POSITIVE_INFINITY };
  for (let round = 0; round < kRounds; ++round) {
    ns.less = Math.min(ns.less, less());
    ns.more = Math.min(ns.more, more());
  }
  return { name, ...ns };
}

async function link(name, source, flags) {
  const out = join(folder, `${name}.js`);
  const given = ['-O3', '-fno-builtin-malloc', '-fno-builtin-free', archive('malloc-fast'), ...flags];
  const how = ['-sALLOW_MEMORY_GROWTH', '-sMODULARIZE', '-o', out];
  await callEmcc([join(root, 'tests/link/programs', source), ...given, ...how], name);
  return out;
}

async function linkPrograms() {
  const shrinking = [
    `-Wl,${kExports.map((each) => `--export=${each}`).join(',')}`,
    ...['--pre-js', writeShrink(join(root, 'build/emscripten'))],
  ];
  const embind = ['-lembind', '-fexceptions'];
  const programs = join(root, 'build/wasm');
  return {
    less: {
      folder: programs,
      shrinks: false,
      called: await link('called', 'called.c', []),
      bound: await link('bound', 'shrinks_bound.cpp', embind),
    },
    more: {
      folder: programs,
      shrinks: true,
      called: await link('called_shrinks', 'called.c', shrinking),
      bound: await link('bound_shrinks', 'shrinks_bound.cpp', [...embind, ...shrinking]),
    },
  };
}

async function main() {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  buildSync({
    entryPoints: [join(root, 'tests/bench/shrink/call_bench.ts')],
    outfile: script,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    define: { 'import.meta.url': '""' },
    logLevel: 'error',
  });
  const programs = await linkPrograms();
  const rows = Object.keys(freshCopy().kRows).map((name) => {
    const job = JSON.stringify({ name, programs });
    const given = [
      '--import',
      'data:text/javascript,delete globalThis.fetch',
      fileURLToPath(import.meta.url),
      '--one',
      job,
    ];
    const printed = execFileSync(process.execPath, given, { encoding: 'utf8' });
    return JSON.parse(printed.slice(printed.lastIndexOf('\n{') + 1));
  });
  printTable(
    'A call from JavaScript, in a program linked with --shrink',
    ['', 'ns without', 'with', 'share', `goal ${kGoal}`],
    rows.map(({ name, less, more }) => [
      name,
      ...[less, more].map((ns) => fixed(ns, 2)),
      fixed(more / less, 3),
      more / less <= kGoal ? 'met' : 'NOT met',
    ]),
  );
  writeJson({ bench: 'forwarders', rows });
}

const one = process.argv.indexOf('--one');
if (one < 0) await main();
else {
  const { name, programs } = JSON.parse(process.argv[one + 1]);
  console.log(`\n${JSON.stringify(await measureRow(name, programs))}`);
}
