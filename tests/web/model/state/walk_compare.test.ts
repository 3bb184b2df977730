// A walk of the heap that differs from the model in one word, ends too early or goes on: the first such record is named.

import { beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../../../web/src/base/random.ts';
import { walkModel } from '../../../../web/src/model/state/walk.ts';
import { WalkCompare } from '../../../../web/src/model/state/walk_compare.ts';
import { Drive } from '../drive.ts';

const kWords = 4;
let drive: Drive;
let heap: number;
let walk: Uint32Array; // the real one is equal, as compare() has found
beforeAll(async () => {
  drive = await Drive.start(31);
  drive.run(400, 70);
  expect(drive.compare()).toBeUndefined();
  heap = drive.calls.heaps[0] ?? 0;
  const words: number[] = [];
  walkModel(drive.history.head, heap, (...record) => words.push(...record));
  walk = Uint32Array.from(words);
  expect(walk.length).toBeGreaterThan(200 * kWords);
});

/** In packets of several records, as the ring gives them. */
function compared(records: Uint32Array): string | undefined {
  const compare = new WalkCompare(drive.history.head, heap);
  const random = createRandom(records.length);
  for (let at = 0; at < records.length; ) {
    const end = Math.min(records.length, at + kWords * (1 + random.below(9)));
    compare.take(records.subarray(at, end));
    at = end;
  }
  return compare.finish();
}

/** With the separators that a reader sees. */
const numberOf = (text: string | undefined): number =>
  Number(/^walk record ([\d,]+)/.exec(text ?? '')?.[1]?.replaceAll(',', ''));

test('an equal walk has no difference', () => {
  expect(compared(walk)).toBeUndefined();
});

test('one other word is found in its record, whatever follows it', () => {
  const random = createRandom(8);
  for (let nth = 0; nth < 100; ++nth) {
    const at = random.below(walk.length);
    const other = walk.slice();
    other[at] = ((other[at] ?? 0) ^ (1 << random.below(32))) >>> 0;
    const later = at + random.below(walk.length - at);
    if (nth % 2 === 0 && later > at) other[later] = ((other[later] ?? 0) ^ 1) >>> 0;
    const text = compared(other);
    expect(numberOf(text), text).toBe(Math.floor(at / kWords));
    expect(text).toMatch(/: the heap has .+, the model .+/);
  }
});

test('a walk that ends early and one that goes on are told by who ended', () => {
  for (const records of [0, 1, walk.length / kWords - 1]) {
    const text = compared(walk.subarray(0, records * kWords));
    expect(numberOf(text)).toBe(records);
    expect(text).toMatch(/: the walk of the heap ended, the model /);
  }
  const text = compared(Uint32Array.from([...walk, ...walk.subarray(0, kWords)]));
  expect(numberOf(text)).toBe(walk.length / kWords);
  expect(text).toMatch(/: the heap has .+, the walk of the model ended$/);
});
