// Snapshots that are written here: what is read is what was written, and the heap that is shown is the one of the snapshot.

import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../../web/src/base/random.ts';
import { readPyTorchSnapshot } from '../../../web/src/convert/pytorch.ts';
import { unpickle } from '../../../web/src/convert/unpickle.ts';
import { History } from '../../../web/src/model/time/history.ts';
import { querySizes } from '../../../web/src/panels/sizes/query.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { pickle, type Value } from './pickles.ts';

function randomValue(random: Random, depth: number): Value {
  const kind = random.below(depth > 3 ? 8 : 10);
  if (kind === 0) return [null, true, false][random.below(3)] ?? null;
  if (kind < 4) return random.below(2 ** random.below(32)) * (random.below(2) === 0 ? 1 : -1) + 0;
  if (kind === 4)
    return 2n ** BigInt(54 + random.below(40)) * (random.below(2) === 0 ? 1n : -1n) + BigInt(random.below(99));
  if (kind === 5) return random.below(1000) + 0.25;
  if (kind === 6) return 'é'.repeat(random.below(3)) + 'a'.repeat(random.below(400));
  if (kind === 7) return Uint8Array.from({ length: random.below(400) }, () => random.below(256));
  const items = Array.from({ length: random.below(5) }, () => randomValue(random, depth + 1));
  return kind === 8 ? items : new Map(items.map((item, nth) => [`key ${nth}`, item]));
}

test.each([2, 4] as const)('what is pickled by protocol %i is read as it was', (protocol) => {
  const random = createRandom(protocol);
  for (let nth = 0; nth < 200; ++nth) {
    const value: Value = [randomValue(random, 0), randomValue(random, 0)];
    const bytes = pickle(value, protocol);
    expect(unpickle(bytes)).toEqual({ ok: true, value: value.map((each) => (Object.is(each, -0) ? 0 : each)) });
    expect(unpickle(bytes.subarray(0, random.below(bytes.length)))).toMatchObject({ ok: false });
  }
});

interface Block {
  readonly size: number;
  readonly requested?: number;
  readonly state: string;
}
interface Segment {
  readonly address: number | bigint;
  readonly blocks: readonly Block[];
}

const mapOf = (fields: Readonly<Record<string, Value>>): Value => new Map(Object.entries(fields));
const segmentOf = ({ address, blocks }: Segment, total?: number): Value =>
  mapOf({
    address,
    total_size: total ?? blocks.reduce((sum, { size }) => sum + size, 0),
    blocks: blocks.map(({ size, requested, state }) =>
      mapOf({ size, state, ...(requested === undefined ? {} : { requested_size: requested }) }),
    ),
  });
const snapshotOf = (segments: readonly Segment[], history: readonly Value[] = []): Uint8Array =>
  pickle(mapOf({ segments: segments.map((each) => segmentOf(each)), device_traces: history }), 4);

/** above: an integer that no number holds, or the address of a usual device. */
function randomSegments(random: Random, above = 0x7f00_0000_0000n): Segment[] {
  return Array.from({ length: 1 + random.below(6) }, (_, nth) => ({
    address: above + BigInt(random.below(1000)) * 0x10_0000n * BigInt(nth + 1),
    blocks: Array.from({ length: 1 + random.below(8) }, () => {
      const size = 512 * (1 + random.below(100));
      const state = ['active_allocated', 'inactive', 'active_pending_free'][random.below(3)] ?? '';
      return { size, state, ...(random.below(3) === 0 ? {} : { requested: size - random.below(500) }) };
    }),
  }));
}

test('segments that say the same address lie in the order in which they stand', () => {
  const sizes = [1024, 512, 2048, 1536];
  const segments = sizes.map((size) => ({ address: 4096, blocks: [{ size, state: 'inactive' }] }));
  const read = readPyTorchSnapshot(snapshotOf(segments));
  if (!read.ok) throw new Error(read.error);
  const history = new History(read.value.trace);
  history.fold();
  expect(history.head.segments.map(({ size }) => size - 8)).toEqual(sizes);
});

test.each([1, 2, 3, 4])('segments lie in the order of their addresses, each with its blocks (seed %i)', (seed) => {
  const segments = randomSegments(createRandom(seed), seed === 4 ? 2n ** 62n : undefined);
  const read = readPyTorchSnapshot(snapshotOf(segments));
  if (!read.ok) throw new Error(read.error);
  expect(read.value.notice).toBeUndefined();
  const { trace } = read.value;
  const history = new History(trace);
  history.fold();
  expect(history.broken).toBeUndefined();
  expect(history.head.heaps).toMatchObject([{ wordSize: 8, alignment: 16 }]);
  const sorted = [...segments].sort((one, other) => (BigInt(one.address) < BigInt(other.address) ? -1 : 1));
  const sizes = sorted.map(({ blocks }) => blocks.reduce((sum, { size }) => sum + size, 0));
  expect(history.head.segments.map(({ size }) => size)).toEqual(sizes.map((size) => size + 8));
  const used = sorted.flatMap(({ blocks }) => blocks.filter(({ state }) => state === 'active_allocated'));
  const taken: number[][] = [];
  for (let event = 0; event < trace.count; ++event)
    if (trace.kind(event) === EventKind.chunkTaken) taken.push([trace.b(event), trace.c(event)]);
  const splits = Array.from({ length: trace.count }, (_, event) => event).filter(
    (event) => trace.kind(event) === EventKind.chunkSplit,
  );
  expect(splits.map((event) => trace.c(event))).not.toContain(0); // the last block of a segment is its rest
  expect(taken).toEqual(used.map(({ size, requested = size }) => [size, requested]));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  expect(history.head.inUse).toBe(used.reduce((sum, { size }) => sum + size, 0));
  const { free } = querySizes(history.head, history.head.heap(1));
  expect(free.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(all - history.head.inUse);
});

describe('a snapshot', () => {
  const gib = 2 ** 30;
  const large = (count: number): Segment[] =>
    Array.from({ length: count }, (_, nth) => ({
      address: nth,
      blocks: [
        { size: gib / 2, state: 'active_allocated' },
        { size: gib / 2, state: 'inactive' },
      ],
    }));

  test.each([
    [3, 1],
    [4, 2],
    [7, 2],
    [8, 4],
    [100, 32],
  ])('of %i GiB is shown with all sizes divided by %i', (count, unit) => {
    const read = readPyTorchSnapshot(snapshotOf(large(count)));
    if (!read.ok) throw new Error(read.error);
    const history = new History(read.value.trace);
    history.fold();
    expect(history.broken).toBeUndefined();
    expect(history.head.inUse).toBe((count * gib) / 2 / unit);
    const said = read.value.notice ?? '';
    expect(/divided by (\d+)/.exec(said)?.[1] ?? '1').toBe(`${unit}`);
  });

  test('that takes all addresses of a trace but one is shown as it is, and with one block more in halves', () => {
    const kBetween = 65_536; // before the first segment, and at most behind each
    const noticeOf = (size: number) => {
      const read = readPyTorchSnapshot(snapshotOf([{ address: 0, blocks: [{ size, state: 'inactive' }] }]));
      return read.ok ? read.value.notice : read.error;
    };
    expect(noticeOf(2 ** 32 - 2 * kBetween - 512)).toBeUndefined();
    expect(noticeOf(2 ** 32 - 2 * kBetween)).toMatch(/^all sizes are divided by 2, /);
  });

  test('counts the steps of its history, of all devices together', () => {
    const read = readPyTorchSnapshot(snapshotOf(large(1), [[1, 2, 3], [], [4]]));
    expect(read).toMatchObject({ ok: true, value: { notice: 'the 4 steps of its history are left out' } });
  });

  test('that names one list of steps many times is counted, and takes no memory for it', () => {
    const count = 20_000;
    const name = (text: string) => [0x8c, text.length, ...new TextEncoder().encode(text)];
    const steps = [0x5d, 0x94, 0x28, ...Array.from({ length: count }, () => 0x4e), 0x65]; // memo 0
    const again = Array.from({ length: count }, () => [0x68, 0]).flat();
    const bomb = [
      0x7d,
      0x28,
      ...name('segments'),
      0x5d,
      ...name('device_traces'),
      0x5d,
      0x28,
      ...steps,
      ...again,
      0x65,
    ];
    expect(readPyTorchSnapshot(Uint8Array.of(...bomb, 0x75, 0x2e))).toMatchObject({
      ok: true,
      value: { notice: 'the 400,020,000 steps of its history are left out' },
    });
  });

  const one: Segment = { address: 4096, blocks: [{ size: 512, state: 'inactive' }] };
  test.each<[string, Value, RegExp]>([
    ['no segments', mapOf({}), /it has no segments/],
    ['no list of them', mapOf({ segments: 5 }), /it has no segments/],
    ['a segment that is none', [5], /segment 0 is no dictionary/],
    ['a segment without an address', [segmentOf(one), mapOf({ total_size: 1, blocks: [] })], /segment 1 lacks address/],
    [
      'a segment without blocks',
      [mapOf({ address: 1, total_size: 1 })],
      /segment 0 lacks address, total_size or blocks/,
    ],
    [
      'a block without a size',
      [mapOf({ address: 1, total_size: 1, blocks: [mapOf({})] })],
      /a block of segment 0 has no size/,
    ],
    ['another sum', [segmentOf(one, 1024)], /the blocks of segment 0 have 512 bytes together, not 1024/],
    [
      'a block of no bytes',
      [segmentOf({ address: 1, blocks: [{ size: 0, state: '' }] })],
      /a block of 0 bytes cannot be shown/,
    ],
    [
      'a block of 8 bytes',
      [segmentOf({ address: 1, blocks: [{ size: 8, state: '' }] })],
      /a block of 8 bytes cannot be shown/,
    ],
    [
      'a block of odd size',
      [segmentOf({ address: 1, blocks: [{ size: 20, state: '' }] })],
      /a block of 20 bytes cannot be shown/,
    ],
    [
      'more than a trace can show',
      mapOf({ segments: large(130).map((each) => segmentOf(each)) }),
      /a trace can show 128 GiB/,
    ],
  ])('with %s is refused', (_, value, sentence) => {
    const read = readPyTorchSnapshot(pickle(value, 2));
    expect(read.ok ? 'opened' : read.error).toMatch(sentence);
  });

  test('of an older PyTorch is the list of segments alone', () => {
    expect(readPyTorchSnapshot(pickle([segmentOf(one)], 2))).toMatchObject({ ok: true });
  });
});

test('a text whose length is written in eight bytes is read', () => {
  const text = new TextEncoder().encode('äb');
  expect(unpickle(Uint8Array.of(0x80, 4, 0x8d, text.length, 0, 0, 0, 0, 0, 0, 0, ...text, 0x2e))).toEqual({
    ok: true,
    value: 'äb',
  });
});

test('tuples of no item and of many are read as lists', () => {
  const pickled = [0x80, 2, 0x28, 0x29, 0x4b, 7, 0x4b, 8, 0x4b, 9, 0x74, 0x2e]; // ((), 7, 8, 9)
  expect(unpickle(Uint8Array.from(pickled))).toEqual({ ok: true, value: [[], 7, 8, 9] });
});

test('a dictionary with a key that has no value is refused', () => {
  const pickled = [0x80, 2, 0x7d, 0x28, 0x4b, 7, 0x75, 0x2e];
  expect(unpickle(Uint8Array.from(pickled))).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^byte 7: a key/),
  });
});

test('a pickle of protocol 0, which is text, is refused by its first opcode that plain data does not need', () => {
  expect(unpickle(new TextEncoder().encode('(lp0\nI1\na.'))).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^byte 1: the pickle uses opcode "l"/),
  });
});

test.each([
  [0x20, '0x20'],
  [0x21, '"!"'],
  [0x63, '"c"'],
  [0x7e, '"~"'],
  [0x7f, '0x7f'],
  [0x01, '0x1'],
])('an opcode that is not followed is named: %i', (code, shown) => {
  const read = unpickle(Uint8Array.of(0x80, 4, code, 0x2e));
  expect(JSON.stringify(read)).toContain(`byte 2: the pickle uses opcode ${JSON.stringify(shown).slice(1, -1)},`);
});
