// Which blocks a reset ends and which it brings back: those that are not as they were at the copy, told in the order in which they came.

import { expect, test } from 'vitest';
import { type CalledBlock, KeptBlocks } from '../../../web/src/report/kept_blocks.ts';
import type { CallSink } from '../../../web/src/report/program_calls.ts';

const kHeader = 4;

function follower() {
  const blocks = new KeptBlocks();
  let event = 0;
  const said: unknown[] = [];
  const sink = {
    ended: (address: number, at: number) => void said.push(['ended', address, at]),
    revived: (block: CalledBlock, at: number) => void said.push(['revived', block.address, block.request, at]),
  } as unknown as CallSink;
  return {
    blocks,
    got: (address: number, request: number) => blocks.allocated(address, request, request, ++event, kHeader),
    resize: (from: number, to: number, request: number) => blocks.resized(from, to, request, request, ++event, kHeader),
    goBack(): unknown[] {
      said.length = 0;
      blocks.goBack(sink, 99);
      return [...said];
    },
    /** The block as a reset would bring it back. */
    kept(address: number): CalledBlock | undefined {
      const found: CalledBlock[] = [];
      const revived = (block: CalledBlock) => void found.push(block);
      blocks.keep();
      blocks.forgotten();
      blocks.goBack({ ended: () => {}, revived } as unknown as CallSink, 0);
      return found.find((block) => block.address === address);
    },
  };
}

test('what came behind the copy ends, what went is there again, and what stayed is not told', () => {
  const { blocks, got, goBack } = follower();
  got(16, 10);
  got(32, 20);
  blocks.keep();
  blocks.freed(32);
  got(48, 30);
  expect(goBack()).toEqual([
    ['ended', 48, 99],
    ['revived', 32, 20, 99],
  ]);
  expect([16, 32, 48].map((at) => blocks.has(at))).toEqual([true, true, false]);
  expect(goBack()).toEqual([]);
});

test('a block at the same address is another one, and so is one that was resized', () => {
  const { blocks, got, resize, goBack } = follower();
  got(16, 10);
  got(32, 20);
  got(48, 30);
  blocks.keep();
  blocks.freed(16);
  got(16, 10);
  resize(32, 32, 25);
  resize(48, 64, 30);
  expect(goBack()).toEqual([
    ['ended', 16, 99],
    ['ended', 32, 99],
    ['ended', 64, 99],
    ['revived', 16, 10, 99],
    ['revived', 32, 20, 99],
    ['revived', 48, 30, 99],
  ]);
});

test('before any copy a reset ends all, and behind a loss all of the copy is there again', () => {
  const { blocks, got, goBack } = follower();
  got(16, 10);
  expect(goBack()).toEqual([['ended', 16, 99]]);
  got(16, 10);
  blocks.keep();
  blocks.forgotten();
  expect(goBack()).toEqual([['revived', 16, 10, 99]]);
});

test('a block keeps its birth and site when it is resized, and one whose birth nobody saw has none', () => {
  const { blocks, got, resize, kept } = follower();
  blocks.entered(7);
  got(16, 10);
  blocks.entered(8);
  resize(16, 32, 40);
  resize(480, 496, 50);
  blocks.found(64, 12, 9, kHeader);
  const born = { address: 32, request: 40, usable: 40, header: kHeader, born: 1, site: 7, found: false };
  expect(kept(32)).toEqual(born);
  expect(kept(496)).toEqual({ ...born, address: 496, request: 50, usable: 50, born: 3, site: 0, found: true });
  expect(kept(64)).toEqual({ ...born, address: 64, request: 12, usable: 12, born: 9, site: 0, found: true });
  expect(kept(16)).toBeUndefined();
});
