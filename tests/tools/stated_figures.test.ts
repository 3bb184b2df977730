// Figures that a document and the code both state: each row has the place in the document and the place in the code, and the
// first group of both is the figure. A row whose text is no longer found fails too, so a changed sentence takes its row along.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

type Place = readonly [path: string, figure: RegExp];
interface Row {
  readonly what: string;
  readonly said: readonly Place[];
  readonly so: Place;
}

const kRows: readonly Row[] = [
  {
    what: 'the trace version',
    said: [['docs/trace_format.md', /trace version of event\.h is now (\d+)/]],
    so: ['core/include/heapglass/event.h', /HG_TRACE_VERSION (\d+)u/],
  },
  {
    what: 'the version of trace files',
    said: [['docs/trace_format.md', /and the file version is (\d+)\./]],
    so: ['web/src/trace/file_parts.ts', /kTraceFileVersion = (\d+)/],
  },
  {
    what: 'events in the ring',
    said: [
      ['docs/trace_format.md', /one call per\s+([\d,]+) events/],
      ['docs/attach.md', /fills the ring \(([\d,]+) events\)/],
      ['docs/recording.md', /A drain of ([\d,]+) events/],
      ['docs/decisions/0013-recording.md', /discards ([\d,]+) events/],
    ],
    so: ['core/src/trace/ring.hpp', /kRingRecords = (\d+)/],
  },
  {
    what: 'events that a recorder keeps',
    said: [
      ['docs/recording.md', /default is the last ([\d,]+) events/],
      ['docs/decisions/0013-recording.md', /recorder keeps ([\d,]+) events/],
    ],
    so: ['web/src/record/linked/settings.ts', /kDefaultKeep = (\d+);/],
  },
  {
    what: 'milliseconds between drains',
    said: [['docs/recording.md', /the ring is drained every (\d+) ms/]],
    so: ['web/src/record/linked/session.ts', /kDrainEvery = (\d+);/],
  },
  {
    what: "events that a program's view keeps",
    said: [
      ['docs/attach.md', /Beyond `mostEvents` \(([\d,]+) by default\)/],
      ['docs/attach.md', /\| `mostEvents` \|[^|]*\| ([\d,]+) \|/],
      ['package/README.md', /\| `mostEvents` \|[^|]*\| ([\d,]+) \|/],
    ],
    so: ['web/src/live/feed.ts', /kMostEvents = ([^;]+);/],
  },
  {
    what: 'events that a file may open to',
    said: [['docs/trace_format.md', /[Tt]he reader stops after ([\d,]+) events/]],
    so: ['web/src/trace/trace_reader.ts', /kMostFileEvents = ([^;]+);/],
  },
  {
    what: 'blocks that a replay may have live',
    said: [['docs/replay.md', /A trace with more than ([\d,]+) live blocks/]],
    so: ['web/src/replay/operations_of_trace.ts', /kMostBlocks = ([^;]+);/],
  },
  {
    what: 'sizes that a report distinguishes',
    said: [['docs/reports.md', /Up to ([\d,]+) sizes are distinguished/]],
    so: ['web/src/report/limits.ts', /kMostSizes = ([^;]+);/],
  },
  {
    what: 'sites in the JSON of a report',
    said: [
      ['docs/reports.md', /JSON lists the (\d+) sites/],
      ['docs/diff.md', /has at most (\d+) sites/],
    ],
    so: ['web/src/report/limits.ts', /kMostSiteRows = ([^;]+);/],
  },
  {
    what: 'frames of a stack in JSON',
    said: [['docs/diff.md', /stacks of at most (\d+) frames/]],
    so: ['web/src/report/limits.ts', /kMostStackRows = ([^;]+);/],
  },
  {
    what: 'nodes of a flame graph',
    said: [['docs/reports.md', /at most ([\d,]+) nodes/]],
    so: ['web/src/report/limits.ts', /kMostFlameNodes = ([^;]+);/],
  },
  {
    what: 'samples of a timeline',
    said: [['docs/reports.md', /\*\*Timeline\*\*: at most (\d+) samples/]],
    so: ['web/src/report/limits.ts', /kMostSamples = ([^;]+);/],
  },
  {
    what: 'the share of a growth',
    said: [['core/README.md', /adds at least 1\/(\d+) of the heap's size/]],
    so: ['core/src/heap/segments.cpp', /share = footprint_ \/ (\d+);/],
  },
  {
    what: 'instructions of Lua between two pauses',
    said: [['docs/watched_programs.md', /Lua script pauses every ([\d,]+) instructions/]],
    so: ['programs/watched/lua/lua_shell.c', /kInstructions = (\d+)/],
  },
  {
    what: "QuickJS's checks",
    said: [['docs/watched_programs.md', /or ([\d,]+) of QuickJS's checks/]],
    so: ['programs/watched/quickjs/quickjs_shell.c', /kMostChecks = (\d+)/],
  },
  ...(['libsqlite3-sys', 'lua-src', 'rquickjs-sys'] as const).map(
    (name): Row => ({
      what: `the version of ${name}`,
      said: [['docs/watched_programs.md', new RegExp(`crate \`${name}\` ([\\d.]+)`)]],
      so: ['tools/fetch/program_sources.mjs', new RegExp(`'${name}'[\\s\\S]*?version: '([\\d.]+)'`)],
    }),
  ),
  {
    what: 'the oldest Node',
    said: [
      ['README.md', /Node (20\.\d+) or newer/],
      ['package/README.md', /Node (20\.\d+) and newer/],
    ],
    so: ['package.json', /"node": ">=(20\.\d+)"/],
  },
  {
    what: "Binaryen's version",
    said: [
      ['package/README.md', /npm install binaryen@(\d+)/],
      ['docs/instrument.md', /npm install binaryen@(\d+)/],
    ],
    so: ['package.json', /"binaryen": ">=(\d+)"/],
  },
];

/** "16,384", "65_536", "2 ** 26" and "1 << 20" as numbers; anything else as it stands. */
function numberIn(text: string): number | string {
  const plain = text.replaceAll(/[,_]/g, '').trim();
  const [, base = '', operator, exponent = ''] = /^(\d+) (\*\*|<<) (\d+)$/.exec(plain) ?? [];
  if (operator === '**') return Number(base) ** Number(exponent);
  if (operator === '<<') return Number(base) * 2 ** Number(exponent);
  return /^\d+$/.test(plain) ? Number(plain) : plain;
}

function figureAt([path, figure]: Place): number | string {
  const found = figure.exec(read(path))?.[1];
  return found === undefined ? `${path} has nothing like ${figure.source}` : numberIn(found);
}

test.each(kRows)('$what is what the code says', ({ said, so }) => {
  const value = figureAt(so);
  for (const place of said) expect(figureAt(place), place[0]).toBe(value);
});

test('figures are read in each way that sources write them', () => {
  expect(['16,384', '65_536', '2 ** 26', '1 << 20', '0.39.1'].map(numberIn)).toEqual([
    16384,
    65536,
    67108864,
    1048576,
    '0.39.1',
  ]);
});
