import { describe, expect, test } from 'vitest';
import { addr, bytes } from '../../../../web/src/base/brand.ts';
import { outcomeText } from '../../../../web/src/panels/operate/outcome_text.ts';
import type { Operation, OperationResult } from '../../../../web/src/protocol/messages.ts';

const ok: OperationResult = {
  ok: true,
  status: 0,
  statusText: 'ok',
  mems: [addr(0x41a34)],
  received: 68,
  reused: false,
  pool: undefined,
};
const command: Operation = {
  op: 'command',
  flags: 6,
  objectSize: bytes(8),
  limit: 10,
  preferred: 20,
  reuse: addr(0x41a34),
};

describe('an outcome in words', () => {
  test('an allocation says what can be used', () => {
    expect(outcomeText({ op: 'allocate', size: bytes(64) }, ok)).toBe('Allocate 64\u202fB: 68\u202fB usable at');
  });

  test('malloc, free and realloc say who called, where it matters', () => {
    const say = (operation: Operation, result = ok) => outcomeText(operation, result).replaceAll('\u202f', ' ');
    const two = { ...ok, mems: [addr(16), addr(96)], received: 136 };
    expect(say({ op: 'mallocAllocate', thread: undefined, size: bytes(64), count: 2 }, two)).toBe(
      'malloc gave 2 blocks, 136 B usable, the first at',
    );
    expect(say({ op: 'mallocFree', thread: 3, mem: addr(0x41a34) })).toMatch(/^Thread 3: free of 0x0004_1a34/);
    const resize = { op: 'mallocReallocate', thread: 2, mem: addr(0x41a34), size: bytes(60) } as const;
    expect(say(resize)).toBe('Thread 2: realloc to 60 B: moved, 68 B usable at');
    expect(say(resize, { ...ok, reused: true })).toBe('Thread 2: realloc to 60 B: in place, 68 B usable at');
    expect(say({ op: 'mallocFlush', thread: undefined }, { ...ok, received: 0 })).toMatch(/No chunk was cached/);
    expect(say({ op: 'mallocTrim' }, { ...ok, received: 65_536 })).toBe('64 KiB went back to the platform.');
  });

  test("a failure gives the allocator's reason, and a command the limit that could be met", () => {
    const failed = { ...ok, ok: false, statusText: 'no room beside the chunk for the limit', mems: [], received: 12 };
    expect(outcomeText(command, failed)).toBe(
      'Command failed: no room beside the chunk for the limit. A limit of 12 could be met now.',
    );
    expect(outcomeText(command, { ...failed, received: 0 })).not.toContain('could be met');
    expect(outcomeText({ op: 'allocate', size: bytes(1) }, failed)).not.toContain('could be met');
  });

  test('a command says which way it went', () => {
    expect(outcomeText(command, ok)).toContain('new memory');
    expect(outcomeText(command, { ...ok, reused: true })).toContain('in place');
    expect(outcomeText(command, { ...ok, reused: true, mems: [addr(0x41a00)] })).toContain('expanded backward');
  });

  test('the small front says who took what, and what a squeeze gave', () => {
    const take: Operation = { op: 'smallAllocate', thread: 2, size: bytes(128), count: 10 };
    const took = { ...ok, mems: Array.from({ length: 10 }, (_, index) => addr(index)), received: 1280 };
    expect(outcomeText(take, took)).toBe('Thread 2 took 10 blocks, 1.25\u202fKiB usable, the first at');
    expect(outcomeText({ op: 'smallSqueeze' }, { ...ok, received: 0 })).toContain('nothing was given back');
    expect(outcomeText({ op: 'smallSqueeze' }, { ...ok, received: 65_536 })).toContain('64\u202fKiB');
  });

  test('a reallocation says whether the block moved', () => {
    const operation: Operation = { op: 'reallocate', mem: addr(0x41a34), size: bytes(100) };
    expect(outcomeText(operation, ok)).toContain('in place');
    expect(outcomeText(operation, { ...ok, mems: [addr(0x50000)] })).toContain('moved');
    expect(outcomeText(operation, { ...ok, mems: [] })).toContain('Freed');
  });

  test('a failure names the call, each by its own words', () => {
    const failed = { ...ok, ok: false, statusText: 'refused', mems: [], received: 0 };
    const mem = addr(0x41a34);
    const calls: readonly (readonly [Operation, string])[] = [
      [{ op: 'allocate', size: bytes(64) }, 'Allocate 64 B'],
      [{ op: 'deallocate', mem }, 'Free'],
      [{ op: 'reallocate', mem, size: bytes(60) }, 'Reallocate to 60 B'],
      [{ op: 'burstNodes', size: bytes(64), count: 10, contiguous: 0 }, 'Burst of 10 × 64 B'],
      [{ op: 'burstDeallocate', mems: [mem] }, 'Freeing the burst'],
      [{ op: 'smallSqueeze' }, 'Squeeze'],
      [{ op: 'mallocTrim' }, 'Trim'],
    ];
    for (const [operation, name] of calls)
      expect(outcomeText(operation, failed).replaceAll('\u202f', ' ')).toBe(`${name} failed: refused.`);
  });

  test('one block of a burst or of a pool is one', () => {
    const one = { ...ok, mems: [addr(16)], received: 1 };
    expect(outcomeText({ op: 'burstNodes', size: bytes(64), count: 1, contiguous: 0 }, one)).toBe(
      'A burst of 1 block, the first at',
    );
    expect(outcomeText({ op: 'burstDeallocate', mems: [addr(16)] }, one)).toBe('Freed the burst of 1 block.');
    expect(outcomeText({ op: 'poolTrim', pool: 3 }, one)).toBe('Pool #3 gave 1 block back.');
    expect(outcomeText({ op: 'poolAllocate', pool: 3, count: 1 }, one)).toBe('1 node of pool #3, the first at');
    expect(outcomeText({ op: 'poolAllocate', pool: 3, count: 2 }, { ...one, received: 2 })).toBe(
      '2 nodes of pool #3, the first at',
    );
  });
});
