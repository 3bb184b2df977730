// What a program did wrong when an event cannot be applied: a double free or a foreign pointer, with the block that was meant.

import { expect, test } from 'vitest';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind, Op } from '../../../../web/src/protocol/event_layout.ts';
import { begin, cache, chunkNumber, done, kSixChunks, kSize, release } from '../cached_events.ts';
import { type Line, traceOf } from '../small_events.ts';

const kBefore = kSixChunks.length;
const takenAt = (n: number) =>
  kSixChunks.findIndex(([kind, , at]) => kind === EventKind.chunkTaken && at === chunkNumber(n));

function misuseOf(...lines: readonly Line[]): string | undefined {
  const history = new History(traceOf([...kSixChunks, ...lines]));
  history.fold();
  expect(history.broken).toBeDefined();
  return history.broken?.misuse?.replaceAll(/[\u202f,_]/g, (sign) => (sign === ',' ? ',' : ''));
}
const free = (mem: number, ...inside: readonly Line[]): Line[] => [
  begin(Op.deallocate, mem),
  ...inside,
  done(Op.deallocate),
];
const mem = (n: number) => chunkNumber(n) + 4;
const hex = (address: number) => `0x${address.toString(16).padStart(8, '0')}`;

test('a second free is a double free, with both frees and the size that was asked for', () => {
  const first = free(mem(1), release(1));
  expect(misuseOf(...first, ...free(mem(1), release(1)))).toBe(
    `a double free: ${hex(mem(1))} is freed at event ${kBefore + 3}, and was freed already at event ${kBefore + 1} (60 bytes, allocated at event ${takenAt(1)})`,
  );
  expect(misuseOf(cache(2), cache(2))).toBe(
    `a double free: ${hex(mem(2))} is freed at event ${kBefore + 1}, and was freed already at event ${kBefore} (60 bytes, allocated at event ${takenAt(2)})`,
  );
});

test('a pointer into a block is foreign, with the block; one to where none lives is foreign without', () => {
  const wrong = (address: number): Line => [EventKind.chunkReleased, 0, address - 4, kSize, 0];
  const inside = mem(3) + 16;
  expect(misuseOf(...free(inside, wrong(inside)))).toBe(
    `a foreign pointer: ${hex(inside)} is freed at event ${kBefore}, and lies 16 bytes inside the block at ${hex(mem(3))} (60 bytes, allocated at event ${takenAt(3)})`,
  );
  const outside = chunkNumber(6) + 400;
  expect(misuseOf(...free(outside, wrong(outside)))).toBe(
    `a foreign pointer: ${hex(outside)} is freed at event ${kBefore}, and no block begins there`,
  );
  const given = free(mem(4), release(4));
  const inFreed = mem(4) + 16;
  expect(misuseOf(...given, ...free(inFreed, wrong(inFreed)))).toMatch(/and no block begins there$/);
});
