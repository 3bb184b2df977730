// Which block a free is of, against a naive twin that looks at all blocks.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { ForeignFrees } from '../../../web/src/trace/placed_blocks.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';

/** The last that begins up to an address, if the address is in it. */
function naive(blocks: ReadonlyMap<number, number>, address: number): number | undefined {
  if (blocks.has(address)) return address;
  const last = Math.max(-1, ...[...blocks.keys()].filter((begin) => begin < address));
  return address - last < (blocks.get(last) ?? 0) ? last : undefined;
}

test('the block of each free is the one of a naive twin, near and far, up to the end of memory, and behind a loss', () => {
  const random = createRandom(5).unit;
  const below = (end: number) => Math.floor(random() * end);
  const trace = new Trace();
  const blocks = new Map<number, number>();
  const expected: [number, number | undefined][] = [];
  const put = (kind: EventKind, a: number, b = 0) => trace.appendEvent(headOf(kind, 1), a, b, 0);
  while (trace.count < 6000) {
    const region = [0, 0x1000, 0x12345, 0x7fff_0000, 0xffff_f000][below(5)] ?? 0;
    const address = region + below(0x1000);
    const what = random();
    if (what < 0.45) {
      const size = random() < 0.05 ? 0x5000_0000 : below(64);
      put(EventKind.blockAllocated, address, size);
      blocks.set(address, size);
    } else if (what < 0.9995) {
      const known = [...blocks.keys()][below(blocks.size)] ?? 0;
      const freed = what < 0.7 ? address : Math.min(known + (what < 0.8 ? below(8) : 0), 0xffff_ffff);
      const block = naive(blocks, freed);
      put(EventKind.blockFreed, freed);
      expected.push([freed, block]);
      if (block !== undefined) blocks.delete(block);
    } else {
      put(EventKind.eventsLost, 1);
      blocks.clear();
    }
  }
  const said: [number, number | undefined][] = [];
  const frees = new ForeignFrees(trace, (address, _, block) => said.push([address, block]));
  for (let read = 0; read < trace.count; read += 97) frees.readTo(read);
  frees.readTo(trace.count);
  expect(said).toEqual(expected);
  expect(expected.filter(([freed, block]) => block !== undefined && block !== freed).length).toBeGreaterThan(500);
});
