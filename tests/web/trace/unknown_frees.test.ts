// Frees of blocks that the trace does not explain, told apart: never allocated here, or freed before.

import { expect, test } from 'vitest';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { unknownFrees } from '../../../web/src/trace/unknown_frees.ts';

/** Blocks by address: positive allocated, negative freed. */
function sentencesOf(...addresses: readonly number[]): string[] {
  const trace = new Trace();
  for (const at of addresses)
    trace.appendEvent(
      headOf(at > 0 ? EventKind.blockAllocated : EventKind.blockFreed, 1),
      Math.abs(at),
      at > 0 ? 8 : 0,
      0,
    );
  return unknownFrees(trace);
}

test('what is freed as it was allocated needs no word', () => {
  expect(sentencesOf(0x400, -0x400, 0x400, -0x400)).toEqual([]);
});

test('what lies below every block may be no block at all', () => {
  expect(sentencesOf(0x400, -0x80, -0x80, -0x400)).toEqual([
    '2 frees are of addresses below every block of this trace (the first is 0x0000_0080 at event 1): of the stack or of static data, which malloc never gave, or blocks of a function that was not found; name it: heapglass instrument --realloc, --calloc or --memalign',
  ]);
  expect(sentencesOf(0x400, -0x480, -0x80)).toHaveLength(2);
});

test('a block that nobody allocated here may be older than the run', () => {
  expect(sentencesOf(0x400, -0x480)).toEqual([
    "1 free is of a block whose allocation is not in this trace (the first is 0x0000_0480 at event 1): the module allocates by a function that was not found; name it: heapglass instrument --realloc, --calloc or --memalign; or it was in the module's data before it began, as of a program that Wizer has run",
  ]);
});

test('an address inside a block is said to be taken as the block, and the block is free then', () => {
  expect(sentencesOf(0x400, -0x404, 0x400, -0x406)).toEqual([
    "2 frees name an address inside a block (the first is 0x0000_0404 at event 1, 4 bytes inside the block at 0x0000_0400): taken as those blocks' frees, as of a memalign that is part of its caller; else they are the program's mistake",
  ]);
  expect(sentencesOf(0x400, -0x404, -0x400)).toEqual([
    expect.stringMatching(/^1 free names .* taken as that block's free, .* else it is the program's mistake$/),
    expect.stringMatching(
      /^1 free is of a block freed already \(the first is 0x0000_0400 at event 2, freed at event 1/,
    ),
  ]);
  expect(sentencesOf(0x400, -0x408)).toEqual([expect.stringMatching(/^1 free is of a block whose allocation is not/)]);
});

test('a block that begins where one lives is said to hide what that one has', () => {
  expect(sentencesOf(0x400, 0x500, 0x400)).toEqual([
    '1 block begins where one lived by this trace (the first is 0x0000_0400 at event 2): that one was freed by a function that was not found, or lives on behind a front that memalign gave back; then its bytes are missing here; name what gives aligned blocks: heapglass instrument --memalign or --malloc',
  ]);
});

test('a block that was never allocated and one that is freed twice are two sentences, each with its first', () => {
  const [never, ...others] = sentencesOf(-0x500, 0x400, -0x400, -0x600);
  expect(others).toEqual([]);
  expect(never).toMatch(
    /^2 frees are of blocks whose allocation is not in this trace \(the first is 0x0000_0500 at event 0\)/,
  );
  const alone = sentencesOf(0x400, -0x400, -0x400);
  expect(alone).toEqual([
    '1 free is of a block freed already (the first is 0x0000_0400 at event 2, freed at event 1): a double free, or blocks of a function that was not found; name it: heapglass instrument --realloc, --calloc or --memalign',
  ]);
  const both = sentencesOf(0x400, -0x400, -0x400, -0x500);
  expect(both[0]).toMatch(
    /^1 free is of a block whose allocation is not in this trace \(the first is 0x0000_0500 at event 3\)/,
  );
  expect(both[1]).toMatch(/freed at event 1\): a double free, or blocks of the function that was not found$/);
  expect(both).toHaveLength(2);
});

test('where no block is recorded, none lies below', () => {
  expect(sentencesOf(-0x80, -0x90)).toEqual([expect.stringMatching(/^2 frees are of blocks whose allocation is not/)]);
});

test('of several blocks that were freed already, or never allocated here, all is in the plural', () => {
  expect(sentencesOf(0x400, 0x500, -0x400, -0x500, -0x500, -0x400, -0x600, -0x700)).toEqual([
    expect.stringMatching(
      /^2 frees are of blocks whose allocation .*; or they were in the module's data before it began/,
    ),
    '2 frees are of blocks freed already (the first is 0x0000_0500 at event 4, freed at event 3): double frees, or blocks of the function that was not found',
  ]);
});
