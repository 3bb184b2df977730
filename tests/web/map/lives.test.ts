// Lifetimes: whose block lived at an event and an address, and the sentence below the picture.

import { expect, test } from 'vitest';
import { addr, seq } from '../../../web/src/base/brand.ts';
import { blockAt, livesText } from '../../../web/src/map/lives.ts';
import type { LivesFrame } from '../../../web/src/protocol/whole_trace.ts';

/** Two blocks at one address, one behind the other, and one that is never freed. */
const lives: NonNullable<LivesFrame['lives']> = {
  count: 3,
  address: Uint32Array.of(0x100, 0x100, 0x140),
  size: Uint32Array.of(0x40, 0x20, 0x10),
  begun: Uint32Array.of(10, 30, 20),
  ended: Uint32Array.of(25, 40, 0),
  pool: Uint8Array.of(0, 0, 0),
};

test('a place is in the block that lived there then: from its begin on, up to its end', () => {
  const at = (event: number, address: number) => blockAt(lives, event, address);
  expect([at(9, 0x100), at(10, 0x100), at(24, 0x13f), at(25, 0x100)]).toEqual([undefined, 0x100, 0x100, undefined]);
  expect([at(30, 0x11f), at(30, 0x120), at(39, 0x100), at(40, 0x100)]).toEqual([0x100, undefined, 0x100, undefined]);
  expect([at(19, 0x140), at(20, 0x140), at(5000, 0x14f), at(20, 0x150)]).toEqual([undefined, 0x140, 0x140, undefined]);
});

test('a sentence says which events and how much memory, how many blocks, and how many of them were freed', () => {
  const window = { from: seq(1000), to: seq(2500), low: addr(0x1000), high: addr(0x3000), columns: 10, rows: 10 };
  const frame = { window, lives } as unknown as LivesFrame;
  expect(livesText(frame)).toBe(
    'Events 1,000 to 2,500, 8\u202fKiB of memory, looked at 10 times: 3 blocks, of which 2 were freed (paler). Nearer there may be more, of shorter lives.',
  );
  expect(livesText({ ...frame, lives: undefined })).toContain('too many blocks for single ones');
});
