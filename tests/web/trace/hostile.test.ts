// A small share of npm run fuzz:traces, the same cases by the same seeds.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { encodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { kEvery } from '../../every.ts';
import { openCase } from '../../fuzz/open_case.ts';
import { fileCase, recordsOf, streamCase } from '../../fuzz/trace_cases.ts';

const kStreams = kEvery ? 200 : 80;
const golden = new URL('golden/', import.meta.url);
const seeds = readdirSync(golden).map((name) => new Uint8Array(readFileSync(new URL(name, golden))));
const streams = seeds.map(recordsOf);

test('100 damaged files are answered with a sentence each', async () => {
  let said = 0;
  for (let seed = 1; seed <= 100; ++seed) said += (await openCase(fileCase(seeds, seed))) === undefined ? 0 : 1;
  expect(said).toBeGreaterThan(60);
});

test(`${kStreams} mutated streams of events in right files are answered with a sentence each`, async () => {
  let said = 0;
  for (let seed = 1; seed <= kStreams; ++seed)
    said += (await openCase(streamCase(streams, seed))) === undefined ? 0 : 1;
  expect(said).toBeGreaterThan(0.6 * kStreams);
});

type Line = readonly [kind: EventKind, detail: number, a: number, b: number, c: number];
const kBase = 0x10000;
const kFirst = kBase + 12;
const heapOf = (size: number): readonly Line[] => [
  [EventKind.heapCreated, 4, kBase, 8, 0],
  [EventKind.segmentAdded, 0, kBase, size, kFirst],
];
const node = (nodeSize: number, nodes: number, block: number): readonly Line[] => [
  [EventKind.chunkTaken, 0, kFirst, 2 ** 31 - 16, 0],
  [EventKind.poolCreated, 3, kBase, nodeSize, nodes],
  [EventKind.poolShaped, 3, 0, 0, 1],
  [EventKind.poolRuled, 3, 0, 0, block],
  [EventKind.blockMade, 3, kFirst + 4, block, 0],
  [EventKind.checkpoint, 0, 1, 1, 0],
];

test.each<[string, readonly Line[], RegExp]>([
  ['a burst of 8-byte elements', [...heapOf(144), [EventKind.burstCarved, 0, kFirst, 8, 16]], /chunks of 8 bytes/],
  [
    'a burst of millions',
    [...heapOf(2 ** 31), [EventKind.burstCarved, 0, kFirst, 16, 2 ** 27 - 1]],
    /too large to be real/,
  ],
  ['half a thousand million nodes', [...heapOf(2 ** 31), ...node(4, 2 ** 29 - 5, 2 ** 31 - 20)], /too many to be real/],
  ['a walk of no heap', [...heapOf(144), [EventKind.heapDestroyed, 0, kBase, 0, 0]], /still has segments/],
  ['an operation that is none', [[EventKind.opBegun, 999, 0, 0, 0]], /no operation 999/],
])('%s is named, and ends the trace there', async (_, lines, text) => {
  const trace = new Trace();
  for (const [kind, detail, a, b, c] of lines) trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  expect(await openCase(new Uint8Array(encodeTraceFile(trace, 4, {})))).toMatch(text);
});

test('a segment near 4 GiB in a file of 200 bytes opens, and takes no gigabytes', async () => {
  const trace = new Trace();
  const base = 2 ** 32 - 65_536;
  trace.appendEvent(headOf(EventKind.heapCreated, 1, 4), base, 8, 0);
  trace.appendEvent(headOf(EventKind.segmentAdded, 1), base, 65_536, base + 12);
  const before = process.memoryUsage().arrayBuffers;
  expect(await openCase(new Uint8Array(encodeTraceFile(trace, 4, {})))).toBeUndefined();
  const taken = process.memoryUsage().arrayBuffers - before; // garbage that nobody collected yet is part of it
  expect(taken).toBeLessThan(512 * 2 ** 20);
});
