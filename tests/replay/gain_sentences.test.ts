// What an allocator would gain in place of another one, in words: more, less or the same, of time, memory, growths and code.

import { expect, test } from 'vitest';
import { gainSentences } from '../../web/src/replay/replay_document.ts';
import type { ReplayReport } from '../../web/src/replay/replay_types.ts';

const allocator = (name: string, ratio: number | undefined, memory: number, growths: number, code: number) => ({
  ...{ name, absent: null, failed: null, growths, code_bytes: code },
  time: ratio === undefined ? null : { ratio },
  peak_footprint_bytes: memory,
  peak_footprint_ratio: memory / 1024,
});
const sentences = (...others: readonly ReturnType<typeof allocator>[]) =>
  gainSentences({
    measured: { compared_with: 'dlmalloc' },
    allocators: [allocator('dlmalloc', 1, 1024, 1200, 100), ...others],
  } as unknown as ReplayReport).map((text) => text.replaceAll('\u202f', ' '));

test('says of each figure whether it is more or less, and by how much', () => {
  expect(sentences(allocator('fast', 0.75, 2048, 1, 150), allocator('small', 1.5, 512, 0, 40))).toEqual([
    'fast in place of dlmalloc: 25 % less time in malloc and free, 100 % more memory at the peak (+1 KiB), 1 growth instead of 1,200, +50 B of code.',
    'small in place of dlmalloc: 50 % more time in malloc and free, 50 % less memory at the peak (-512 B), 0 growths instead of 1,200, -60 B of code.',
  ]);
});

test('what differs by less than a hundredth is the same, and without times none is said', () => {
  const [timed, untimed] = sentences(
    allocator('fast', 1.009, 1024, 2, 100),
    allocator('small', undefined, 1024, 2, 100),
  );
  expect(timed).toContain(': the same time in malloc and free, the same memory at the peak (no change),');
  expect(untimed).toContain('dlmalloc: the same memory');
  expect(untimed).toContain(', no change of code.');
});

test('without the allocator that is compared with nothing is said', () => {
  const allocators = [allocator('fast', 1, 1024, 1, 100)];
  expect(gainSentences({ measured: { compared_with: 'dlmalloc' }, allocators } as unknown as ReplayReport)).toEqual([]);
});
