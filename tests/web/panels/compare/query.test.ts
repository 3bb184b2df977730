// Two moments compared, against a naive twin: maps keyed by address and birth.

import { expect, it } from 'vitest';
import { bytes, seq } from '../../../../web/src/base/brand.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { changeText } from '../../../../web/src/panels/compare/compare.ts';
import { type BlockList, compareBlocks, listBlocks } from '../../../../web/src/panels/compare/query.ts';
import { Drive } from '../../model/drive.ts';

const drive = await Drive.start(23);
drive.run(2_500, 88);
expect(drive.compare()).toBeUndefined();

function at(event: number): BlockList {
  const travel = new TimeTravel(drive.history);
  travel.seek(event);
  return listBlocks(travel.state);
}

const keyed = (list: BlockList) =>
  new Map(Array.from(list.address, (address, nth) => [`${address}/${list.born[nth]}`, list.size[nth] ?? 0] as const));

const sumOf = (sizes: readonly number[]) => ({
  count: sizes.length,
  bytes: sizes.reduce((all, size) => all + size, 0),
});

it('what is gone, in both and added is what a naive twin finds, forwards and backwards in time', () => {
  const head = drive.history.head.seq;
  for (const [from, to] of [
    [0, head],
    [head >> 2, head >> 1],
    [head - 40, head],
    [head, head >> 1],
    [100, 100],
  ] as const) {
    const [before, now] = [at(from), at(to)];
    const [one, two] = [keyed(before), keyed(now)];
    const compared = compareBlocks(before, now);
    expect(compared.since).toBe(seq(from));
    expect(compared.gone).toMatchObject(sumOf([...one].filter(([key]) => !two.has(key)).map(([, size]) => size)));
    expect(compared.both).toMatchObject(sumOf([...two].filter(([key]) => one.has(key)).map(([, size]) => size)));
    const added = [...two].filter(([key]) => !one.has(key)).map(([, size]) => size);
    expect(compared.added).toMatchObject(sumOf(added));
    const all = (sizes: Iterable<number>) => [...sizes].reduce((sum, size) => sum + size, 0);
    expect(compared.added.bytes + compared.grown - compared.gone.bytes).toBe(all(two.values()) - all(one.values()));
    expect(compared.added.largest.map(({ size }) => size)).toEqual(added.sort((x, y) => y - x).slice(0, 10));
    // A birth has the number that the bar shows right after it: its link leads there.
    for (const { address, born } of compared.added.largest)
      expect(now.born[now.address.indexOf(address)]).toBe(born - 1);
  }
});

it('says how much more or less is in use, and that nothing is', () => {
  const sum = (size: number) => ({ count: 1, bytes: bytes(size), largest: [] });
  const text = (gone: number, added: number, grown = 0) => changeText({ gone: sum(gone), grown, added: sum(added) });
  expect(text(1024, 3072).replace('\u202f', ' ')).toBe('2 KiB more in use than then.');
  expect(text(3072, 1024).replace('\u202f', ' ')).toBe('2 KiB less in use than then.');
  expect(text(8, 8)).toBe('As much is in use as then.');
  expect(text(1024, 1024, -1024).replace('\u202f', ' ')).toBe('1 KiB less in use than then.');
});

it('an address that was used again is another block', () => {
  const block = (born: number): BlockList => ({
    seq: born,
    address: Uint32Array.of(0x1000),
    size: Uint32Array.of(64),
    born: Uint32Array.of(born),
  });
  const { gone, both, added } = compareBlocks(block(1), block(9));
  expect([gone.count, both.count, added.count]).toEqual([1, 0, 1]);
});

it('a block that took the place of another of the same size is added, and the other is gone', async () => {
  const drive = await Drive.start(5);
  const { calls, history } = drive;
  const [first] = calls.operate(0, { op: 'allocate', size: bytes(100) }).mems;
  calls.operate(0, { op: 'allocate', size: bytes(100) });
  if (first === undefined || drive.compare() !== undefined) throw new Error('no block');
  const before = listBlocks(history.head);
  calls.operate(0, { op: 'deallocate', mem: first });
  const [again] = calls.operate(0, { op: 'allocate', size: bytes(100) }).mems;
  expect([again, drive.compare()]).toEqual([first, undefined]);
  const { gone, both, added } = compareBlocks(before, listBlocks(history.head));
  expect([gone.count, both.count, added.count]).toEqual([1, 1, 1]);
});
