// Blocks of pools: how many nodes of a pool's shape fit into one, and the order of those in the tree.

import { expect, test } from 'vitest';
import { captureKeyframe } from '../../../../web/src/model/state/keyframe.ts';
import { blockAfter } from '../../../../web/src/model/state/walk.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { EventKind, Shape } from '../../../../web/src/protocol/event_layout.ts';
import { type Line, traceOf } from '../small_events.ts';

const kBase = 0x10000;
const kFirst = kBase + 12;
const kFree = 65_536 - 16;
const kPool = 5;
const kChunk = 1024;
const kChunks = 5;

/** Chunks in use side by side. */
const kHeap: readonly Line[] = [
  [EventKind.heapCreated, 4, kFirst, 8, 0],
  [EventKind.segmentAdded, 0, kBase, 65_536, kFirst],
  ...Array.from({ length: kChunks }, (_, n): readonly Line[] => [
    [EventKind.chunkSplit, 0, kFirst + n * kChunk, kChunk, kFree - (n + 1) * kChunk],
    [EventKind.chunkTaken, 0, kFirst + n * kChunk, kChunk, kChunk],
  ]).flat(),
  [EventKind.topChanged, 0, kFirst + kChunks * kChunk, 0, 0],
];
const block = (n: number): number => kFirst + n * kChunk + 4;

interface Form {
  readonly node: number;
  readonly nodes: number;
  readonly first: number;
  readonly later?: number;
  readonly bytes: number;
  /** Bytes of a sub-block, and how many. */
  readonly sub?: readonly [bytes: number, count: number];
}
const poolOf = ({ node, nodes, first, later = 0, bytes, sub = [0, 0] }: Form): readonly Line[] => [
  [EventKind.poolCreated, kPool, 0x500, node, nodes],
  [EventKind.poolShaped, kPool, sub[0], sub[1], Shape.adaptive | (3 << 8)],
  [EventKind.poolRuled, kPool, first, later, bytes],
];
const made = (n: number, bytes: number): Line => [EventKind.blockMade, kPool, block(n), bytes, 0];

function told(...lines: readonly Line[]): History {
  const history = new History(traceOf([...kHeap, ...lines]));
  history.fold();
  return history;
}
const brokenBy = (form: Form): string | undefined => told(...poolOf(form), made(0, form.bytes)).broken?.text;

test.each<[string, number, Omit<Form, 'nodes'>]>([
  ['without sub-blocks', 5, { node: 32, first: 16, bytes: 16 + 5 * 32 + 31 }],
  ['of one sub-block', 5, { node: 32, first: 16, bytes: 16 + 5 * 32, sub: [16 + 5 * 32, 1] }],
  ['of two', 2 + 3, { node: 32, first: 64, later: 16, bytes: 256, sub: [128, 2] }],
  ['of three, the last of which is shorter', 2 + 3 + 2, { node: 32, first: 64, later: 32, bytes: 352, sub: [128, 3] }],
  ['of four equal ones', 4 * 4, { node: 32, first: 0, bytes: 512, sub: [128, 4] }],
  [
    'whose last sub-block has no space behind its words',
    2,
    { node: 32, first: 64, later: 100, bytes: 178, sub: [128, 2] },
  ],
  ['whose last sub-block is of one byte', 4, { node: 32, first: 0, bytes: 129, sub: [128, 2] }],
])('a block %s has as many nodes as fit into its parts, and not one more', (_, nodes, form) => {
  expect(brokenBy({ ...form, nodes })).toBeUndefined();
  expect(brokenBy({ ...form, nodes: nodes + 1 })).toMatch(`cannot have ${nodes + 1} nodes`);
});

test.each<[string, Partial<Form>]>([
  ['whose first node is at no word', { first: 18 }],
  ['whose later nodes are at no word', { later: 18 }],
  ['whose nodes are no words', { node: 30 }],
  ['whose last sub-block is empty', { sub: [128, 3] }],
])('a block %s is refused', (_, form) => {
  const fine: Form = { node: 32, nodes: 1, first: 16, later: 16, bytes: 256, sub: [128, 2] };
  expect(brokenBy(fine)).toBeUndefined();
  expect(brokenBy({ ...fine, ...form })).toMatch('cannot have 1 nodes');
});

test('a block fills its chunk but for the header, and a pool says what it was shaped as', () => {
  const form: Form = { node: 32, nodes: 31, first: 16, bytes: kChunk - 4 };
  const history = told(...poolOf(form), made(0, form.bytes));
  expect(history.broken).toBeUndefined();
  expect(history.head.pool(kPool)).toMatchObject({
    shape: Shape.adaptive,
    maxFreeBlocks: 3,
    blocks: 1,
    blockBytes: kChunk - 4,
  });
  expect(brokenBy({ ...form, bytes: kChunk - 3 })).toMatch(/too small for a block/);
});

test.each([
  [1, 128],
  [2, 192],
])('a block of %i nodes has at most %i sub-blocks', (nodes, most) => {
  const ofSubBlocks = (count: number): Form => ({ node: 4, nodes, first: 0, bytes: 4 * count, sub: [4, count] });
  expect(brokenBy(ofSubBlocks(most))).toBeUndefined();
  expect(brokenBy(ofSubBlocks(most + 1))).toMatch(/too many sub-blocks/);
});

const kForm: Form = { node: 32, nodes: 4, first: 16, bytes: 16 + 4 * 32 };
const kMade = [...poolOf(kForm), ...[0, 1, 2].map((n) => made(n, kForm.bytes))];
const inserted = (n: number, behind?: number): Line => [
  EventKind.blockInserted,
  kPool,
  block(n),
  behind === undefined ? 0 : block(behind),
  4,
];
const removed = (n: number, behind?: number): Line => [
  EventKind.blockRemoved,
  kPool,
  block(n),
  behind === undefined ? 0 : block(behind),
  4,
];
const moved = (n: number, from: number | undefined, to: number | undefined): Line => {
  const at = (other: number | undefined) => (other === undefined ? 0 : block(other));
  return [EventKind.blockMoved, kPool, block(n), at(from), at(to)];
};

test('blocks stand in the tree behind the ones they were put behind, back and forth', () => {
  const steps: readonly [Line, readonly number[]][] = [
    [inserted(1), [1]],
    [inserted(0), [0, 1]],
    [inserted(2, 0), [0, 2, 1]],
    [moved(1, 2, undefined), [1, 0, 2]],
    [moved(1, undefined, 2), [0, 2, 1]],
    [removed(2, 0), [0, 1]],
    [inserted(2, 1), [0, 1, 2]],
    [removed(0), [1, 2]],
    [removed(2, 1), [1]],
    [removed(1), []],
  ];
  const history = told(...kMade, ...steps.map(([line]) => line));
  expect(history.broken).toBeUndefined();
  history.keyframes.splice(0); // only events lead the way
  const travel = new TimeTravel(history);
  const before = kHeap.length + kMade.length;
  for (const nth of [...steps.keys(), ...[...steps.keys()].reverse()]) {
    travel.seek(before + nth + 1);
    const { state } = travel;
    const order: number[] = [];
    for (let at = state.pool(kPool).treeFirst; at !== 0; at = blockAfter(state, at))
      order.push((at - block(0)) / kChunk);
    expect(order).toEqual(steps[nth]?.[1]);
    expect(state.pool(kPool).treeCount).toBe(order.length);
  }
});

const taken: Line = [EventKind.nodeTaken, kPool, block(2) + 16, block(2), 3];
test.each<[string, readonly Line[], RegExp]>([
  ['put into it twice', [inserted(0), inserted(0)], /is in the tree already/],
  ['put behind one that is not in it', [inserted(0, 1)], /is not in the tree/],
  ['put behind itself', [inserted(0), moved(0, undefined, 0)], /cannot follow itself/],
  ['taken from it though it is not there', [removed(0)], /is not in the tree/],
  [
    'taken from its begin though another is first',
    [inserted(0), inserted(1), removed(0)],
    /is not the first of pool 5/,
  ],
  [
    'taken from behind one that is not before it',
    [inserted(0), inserted(1, 0), inserted(2, 1), removed(2, 0)],
    /is not before/,
  ],
  [
    'given back while it is in it',
    [inserted(0), [EventKind.blockRetired, kPool, block(0), kForm.bytes, 0]],
    /still in the tree/,
  ],
  [
    'given back with a node in use',
    [taken, [EventKind.blockRetired, kPool, block(2), kForm.bytes, 0]],
    /1 nodes of the block/,
  ],
  ['made where one is', [made(0, kForm.bytes)], /is not in use/],
])('a block that is %s is refused, and nothing has changed', (_, lines, text) => {
  const history = told(...kMade, ...lines);
  expect(history.broken).toMatchObject({ text: expect.stringMatching(text) });
  expect(history.broken?.seq).toBe(kHeap.length + kMade.length + lines.length - 1);
  expect(captureKeyframe(history.head)).toEqual(captureKeyframe(told(...kMade, ...lines.slice(0, -1)).head));
});
