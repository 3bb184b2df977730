// npm run check:shrink - what a process gives back: a program holds 600 MB and keeps 20, in Node, in headless Chromium and in Firefox, each
// row in a process of its own. Resident memory is read from /proc when it has stopped falling (Linux).
//
//   held     with 600 MB        freed   20 MB are kept, nothing else is done        shrunk   after one shrink
//   never    a program that never held more than the 20 MB      ratio   shrunk / never; goal: 1.3
//   ms       of the shrink, and for each MiB that lives; goal: 0.2
//   touch    ms for each MiB that is written for the first time in a fresh memory: no copy takes less
//
//   page     what performance.measureUserAgentSpecificMemory says of the page: when freed, and after the shrink (Chromium)
//
//   --json file

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { writeShrink } from '../../../tools/build_recorder.mjs';
import { root } from '../harness/compile.mjs';
import { fixed, printTable, writeJson } from '../harness/report.mjs';
import { openFirefox } from './firefox.mjs';
import { openChromium, openNode } from './hosts.mjs';

const kHeld = 600_000_000;
const kKept = 20_000_000;
const kMebibyte = 1 << 20;
const kGoal = { ratio: 1.3, msPerMebibyte: 0.2 };
const kExports = [
  ...['hg_malloc_trim', 'hg_heap_returnable', 'hg_heap_free_pages', 'hg_memory_free_pages'],
  'hg_malloc_cached_pages',
  ...['hg_memory_end', 'hg_memory_moved', 'hg_memory_scratch'],
];
const wasmFolder = join(root, 'build/wasm');
const folder = join(root, 'build/bench/shrink');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');

/** The linked program, as `heapglass --ldflags --shrink` has it. */
function link() {
  const flags = [
    '-O2',
    join(wasmFolder, 'libheapglass-malloc-fast.a'),
    `-Wl,${kExports.map((name) => `--export=${name}`).join(',')}`,
    ...['--pre-js', writeShrink(join(root, 'build/emscripten'))],
    ...['-sALLOW_MEMORY_GROWTH', '-sMODULARIZE', '-sEXPORT_NAME=heldProgram', '-sINITIAL_MEMORY=16777216'],
  ];
  const source = join(root, 'tests/link/programs/shrinks.cpp');
  execFileSync(join(root, 'wasm-build.sh'), ['emcc', source, ...flags, '-o', join(folder, 'held.js')], {
    stdio: 'inherit',
  });
}

function bundleScene() {
  buildSync({
    entryPoints: [join(root, 'tests/bench/shrink/scene.ts')],
    outfile: join(folder, 'scene.js'),
    bundle: true,
    format: 'iife',
    platform: 'neutral',
    target: 'es2022',
    define: { 'import.meta.url': '"http://localhost/"' }, // the module is given, nothing is looked for
    logLevel: 'error',
  });
}

/** One process; what it held, and what one shrink did. */
async function measure(open, kind, spread) {
  const host = await open({ folder, wasmFolder });
  if (host === undefined) return undefined;
  try {
    await host.start(kind);
    const empty = await host.resident();
    await host.call('hold', kHeld);
    const held = await host.resident();
    await host.call('keep', spread);
    const freed = await host.resident();
    const pageBefore = await host.measured?.();
    const shrunk = await host.call('shrink');
    const after = await host.resident();
    const page = host.measured && `${fixed(pageBefore, 0)} to ${fixed(await host.measured(), 0)}`;
    if (!(await host.call('proves'))) throw new Error(`${host.name}, ${kind}: what was kept is not what it was`);
    const touch = await host.call('touch', kKept);
    return {
      host: host.name,
      page,
      touch,
      empty,
      held,
      freed,
      shrunk: after,
      ...shrunk,
      never: await neverMore(open, kind),
    };
  } finally {
    await host.close();
  }
}

async function neverMore(open, kind) {
  const host = await open({ folder, wasmFolder });
  try {
    await host.start(kind);
    await host.call('hold', kKept);
    return await host.resident();
  } finally {
    await host.close();
  }
}

link();
bundleScene();
const rows = [];
for (const [name, open] of Object.entries({ Node: openNode, Chromium: openChromium, Firefox: openFirefox })) {
  for (const kind of ['linked', 'heap']) {
    for (const spread of [false, true]) {
      const found = await measure(open, kind, spread);
      if (found === undefined) console.log(`no ${name} here: a row is left out`);
      else rows.push({ kind, spread, ...found });
    }
  }
}
printTable(
  `A program that held ${kHeld / 1e6} MB and keeps ${kKept / 1e6}: resident memory of its process, MB`,
  [
    '',
    'kept',
    'empty',
    'held',
    'freed',
    'shrunk',
    'never',
    'ratio',
    'buffer less',
    'ms',
    'ms a MiB',
    'touch',
    'page',
    'memory',
    'time',
  ],
  rows.map((row) => {
    const ratio = row.shrunk / row.never;
    const each = row.ms / (row.copied / kMebibyte);
    const met = (yes) => (yes ? 'met' : 'NOT met');
    return [
      `${row.host}, ${row.kind}`,
      row.spread ? 'all over' : 'in front',
      ...[row.empty, row.held, row.freed, row.shrunk, row.never].map((megabytes) => fixed(megabytes, 0)),
      fixed(ratio),
      fixed((row.before - row.after) / 1e6, 0),
      fixed(row.ms, 1),
      fixed(each),
      fixed(row.touch),
      row.page ?? '-',
      met(ratio <= kGoal.ratio),
      met(each <= kGoal.msPerMebibyte),
    ];
  }),
);
writeJson({ check: 'shrink', held: kHeld, kept: kKept, rows });
