// npm run check:shrink - what a process gives back: a program holds 600 MB and keeps 20, in Node, in headless Chromium and in Firefox, each
// row in a process of its own. Resident memory is read from /proc when it has stopped falling (Linux).
//
//   held     with 600 MB        freed   20 MB are kept, nothing else is done        shrunk   after one shrink
//   never    a program that never held more than the 20 MB      ratio   shrunk / never; goal: 1.3
//   ms       of the shrink, and for each MiB that lives; goal: 0.2
//   touch    ms for each MiB that is written for the first time in a fresh memory: no copy takes less; x touch: the shrink's beside it
//   faults   page faults of the process during the shrink, for each page that lives: 1 is the least, each page is touched once. A count
//
//   Before all that it is proved that the engine's stack says whether a call into a program runs (web/src/shrink/running.ts).
//
//   page     what performance.measureUserAgentSpecificMemory says of the page: when freed, and after the shrink (Chromium)
//
//   --json file

import { fixed, printTable, writeJson } from '../harness/report.mjs';
import { prepareScene } from './files.mjs';
import { openFirefox } from './firefox.mjs';
import { openChromium, openNode } from './hosts.mjs';

const kHeld = 600_000_000;
const kKept = 20_000_000;
const kKeepOf = kHeld / kKept;
const kPage = 4096;
const kMebibyte = 1 << 20;
const kGoal = { ratio: 1.3, msPerMebibyte: 0.2 };
/** One process; what it held, and what one shrink did. */
async function measure(open, kind, spread) {
  const host = await open(files);
  if (host === undefined) return undefined;
  try {
    await host.start(kind);
    await proveStack(host);
    const empty = await host.resident();
    await host.call('hold', kHeld);
    const held = await host.resident();
    await host.call('keep', spread, kKeepOf);
    const freed = await host.resident();
    const pageBefore = await host.measured?.();
    const faults = await host.faults();
    const shrunk = await host.call('shrink');
    const faulted = (await host.faults()) - faults;
    const after = await host.resident();
    const page = host.measured && `${fixed(pageBefore, 0)} to ${fixed(await host.measured(), 0)}`;
    if (!(await host.call('proves'))) throw new Error(`${host.name}, ${kind}: what was kept is not what it was`);
    const touch = await host.call('touch', kKept);
    return {
      host: host.name,
      page,
      touch,
      faults: faulted / (shrunk.copied / kPage),
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

/** Firefox lists 128 frames and says nothing of a deeper stack: `withinDeep` is not there. */
async function proveStack(host) {
  const found = await host.call('running');
  const isRight = found.isRead && found.within && found.withinDeep !== false && !found.outside && !found.outsideDeep;
  if (!isRight) throw new Error(`${host.name}: its stack does not say whether a call runs: ${JSON.stringify(found)}`);
}

async function neverMore(open, kind) {
  const host = await open(files);
  try {
    await host.start(kind);
    await host.call('hold', kKept);
    return await host.resident();
  } finally {
    await host.close();
  }
}

const files = prepareScene();
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
    'x touch',
    'faults',
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
      fixed(each / row.touch),
      fixed(row.faults),
      row.page ?? '-',
      met(ratio <= kGoal.ratio),
      met(each <= kGoal.msPerMebibyte),
    ];
  }),
);
writeJson({ check: 'shrink', held: kHeld, kept: kKept, rows });
