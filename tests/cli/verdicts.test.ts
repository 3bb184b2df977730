// One trace, one verdict: every command says the same of it, and ends with the same exit code. Daily a trace that was cut
// short, and one that contradicts itself.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventKind, Op } from '../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../web/src/trace/trace.ts';
import { encodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { kEvery } from '../every.ts';
import { type BareCommand, buildBareCommand } from './bare_command.ts';

type Line = readonly [kind: EventKind, detail: number, a: number, b: number, c: number];
const kBase = 0x10000;
const kFirst = kBase + 12;

/** A heap, and so many blocks of 24 bytes in chunks of 32, each freed. */
function calls(count: number): Line[] {
  const lines: Line[] = [
    [EventKind.heapCreated, 4, kBase, 8, 0],
    [EventKind.segmentAdded, 0, kBase, 144, kFirst],
  ];
  for (let nth = 0; nth < count; ++nth) lines.push(...call(24, 28));
  return lines;
}

const call = (request: number, received: number): Line[] => [
  [EventKind.opBegun, Op.allocate, 0, request, 0],
  [EventKind.chunkSplit, 0, kFirst, 32, 96],
  [EventKind.chunkTaken, 0, kFirst, 32, Math.min(request, 28)],
  [EventKind.opEnded, Op.allocate, kFirst + 4, received, 0],
  [EventKind.opBegun, Op.deallocate, kFirst + 4, 0, 0],
  [EventKind.chunkReleased, 0, kFirst, 32, 0],
  [EventKind.chunksMerged, 0, kFirst, 32, 96],
  [EventKind.opEnded, Op.deallocate, 0, 0, 0],
];

function fileOf(lines: readonly Line[]): Uint8Array {
  const trace = new Trace();
  for (const [kind, detail, a, b, c] of lines) trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  return new Uint8Array(encodeTraceFile(trace, 4, {}, { plain: true }));
}

function flipped(file: Uint8Array, at: number): Uint8Array {
  const other = file.slice();
  other[at] = (other[at] ?? 0) ^ 1;
  return other;
}

const kDaily = ['cut', 'claims_4_gib'];
const kMany = 70_000; // events: two segments
const many = fileOf(calls(kMany / 8));
const huge = 2 ** 32 - 16;

const kNotWhole: readonly [name: string, file: Uint8Array, sentence: RegExp][] = [
  ['cut', many.slice(0, 1_060_000), /the file was cut inside the segment of events from 65,536 on/],
  ['flipped', flipped(many, 1_100_000), /the segment of events from 65,536 on, at byte [\d,]+, is damaged/],
  [
    'claims_4_gib',
    fileOf([...calls(3), ...call(huge, huge)]),
    /up to event 29: allocate got \d+ bytes at 65552, where 32/,
  ],
  [
    'asks_4_gib',
    fileOf([...calls(3), ...call(huge, 28)]),
    /up to event 29: allocate got 28 bytes, and 4294967280 were/,
  ],
  [
    'taken_4_gib',
    fileOf([...calls(3), ...call(24, 28).slice(0, 2), [EventKind.chunkTaken, 0, kFirst, 32, huge]]),
    /up to event 28: the chunk at 65548 has 32 bytes, which are too few for a request of 4294967280/,
  ],
  [
    'ends_unbegun',
    fileOf([...calls(3), [EventKind.opEnded, Op.allocate, 0, 0, 0]]),
    /event 26: allocate ends and was not/,
  ],
  [
    'nests_wrongly',
    fileOf([...calls(3), [EventKind.opBegun, Op.trim, 0, 0, 0], [EventKind.opEnded, Op.allocate, 0, 0, 0]]),
    /event 27: allocate ends where trim was begun/,
  ],
  [
    'got_nothing',
    fileOf([
      ...calls(3),
      [EventKind.opBegun, Op.allocate, 0, 8, 0],
      [EventKind.opEnded, Op.allocate, kFirst + 4, 8, 0],
    ]),
    /event 27: allocate got 65552, where nothing in use begins/,
  ],
  ['differs', fileOf([...calls(3), [EventKind.checkpoint, 0, 1, 1, 0]]), /at the checkpoint of event 26 /],
  ['lost', fileOf([...calls(3), [EventKind.eventsLost, 0, 300, 0, 0], ...call(24, 28)]), /up to event 26: no snapshot/],
];

let cli: BareCommand;
beforeAll(async () => {
  cli = await buildBareCommand();
  cli.write('whole.hgtrace', fileOf(calls(3)));
  for (const [name, file] of kNotWhole) cli.write(`${name}.hgtrace`, file);
});
afterAll(() => cli?.dispose());

const commandsOn = (trace: string): string[][] => [
  ['report', trace],
  ['report', trace, '--json'],
  ['report', trace, '--html', 'report.html'],
  ['report', trace, '--assert', 'allocations>0'],
  ['diff', trace, trace],
  ['convert', trace, 'out.csv'],
  ['convert', trace, 'out.hgtrace'],
  ['replay', trace, '--on', 'emmalloc', '--from', 'emmalloc', '--rounds', '0'],
];

/** What was said of the trace: each sentence once, as diff reads it twice. */
const verdictIn = (stderr: string, trace: string): string[] => [
  ...new Set(stderr.split('\n').filter((line) => line.startsWith(`heapglass: ${trace}: `))),
];

test('a whole trace is said to be nothing else, and every command ends with 0', () => {
  for (const given of commandsOn('whole.hgtrace')) {
    const { status, stderr } = cli.run(...given);
    expect({ status, said: verdictIn(stderr, 'whole.hgtrace') }, given.join(' ') + stderr).toEqual({
      status: 0,
      said: [],
    });
  }
});

test.each(kNotWhole.filter(([name]) => kEvery || kDaily.includes(name)))(
  '%s: every command says why, and ends with 3',
  (name, _, sentence) => {
    const trace = `${name}.hgtrace`;
    const [first, ...others] = commandsOn(trace).map((given) => {
      const { status, stderr } = cli.run(...given);
      return { given, status, said: verdictIn(stderr, trace), stderr };
    });
    expect(first?.said.join('\n')).toMatch(sentence);
    for (const { given, status, said, stderr } of [first, ...others].filter((each) => each !== undefined))
      expect({ status, said }, given.join(' ') + stderr).toEqual({ status: 3, said: first?.said });
  },
);

test('a condition that does not hold comes before the verdict', () => {
  const { status, stderr } = cli.run('report', 'lost.hgtrace', '--assert', 'allocations=0');
  expect(status).toBe(1);
  expect(stderr).toContain('lost.hgtrace: the heap is known only up to event 26');
});

test('what follows a contradiction is not written into another trace', () => {
  cli.run('convert', 'claims_4_gib.hgtrace', 'known.hgtrace');
  expect(cli.run('report', 'known.hgtrace', '--assert', 'peak<1KiB').status).toBe(0);
});
