// What a recorder writes of heaps that are there already, for tests of traces that begin late or have lost events.

import { expect } from 'vitest';
import { EventKind, kWalkEvent } from '../../../web/src/protocol/event_layout.ts';
import { headOf, kEventWords, type Trace } from '../../../web/src/trace/trace.ts';
import { readWalk } from '../../../web/src/wasm/walk_reader.ts';
import type { Drive } from './drive.ts';

/** What the recorder of a program writes: the walk of every heap, from the heaps themselves. */
export function snapshotOf(drive: Drive): Uint32Array {
  expect(drive.compare()).toBeUndefined();
  const { head } = drive.history;
  const heaps = head.heaps.filter((heap) => heap.living);
  const words = [headOf(EventKind.snapshotBegun, 0, 4), heaps.length, head.acting, 0];
  for (const { id, address, alignment, stateBytes } of heaps) {
    const walk: number[] = [];
    readWalk(drive.module, address, (records) => {
      for (const word of records) walk.push(word);
    });
    for (let i = 0; i < walk.length; i += kEventWords) walk[i] = (walk[i] as number) + kWalkEvent;
    words.push(headOf(EventKind.snapshotHeap, id, alignment), address, walk.length / kEventWords, stateBytes);
    for (const pool of head.pools.filter((it) => it.living && it.heap === id)) {
      const { address: at, nodeSize, nodesPerBlock, subBlockBytes, subBlocks, shape, maxFreeBlocks } = pool;
      words.push(headOf(EventKind.poolCreated, id, pool.id), at, nodeSize, nodesPerBlock);
      words.push(headOf(EventKind.poolShaped, id, pool.id), subBlockBytes, subBlocks, shape | (maxFreeBlocks << 8));
      words.push(headOf(EventKind.poolRuled, id, pool.id), pool.firstNode, pool.laterNode, pool.blockBytes);
    }
    for (const word of walk) words.push(word);
  }
  words.push(headOf(EventKind.snapshotEnded, 0), 0, 0, 0);
  return Uint32Array.from(words);
}

/** Events from one up to, but not with, another. */
export function recordsOf(trace: Trace, from: number, to: number): Uint32Array {
  const words: number[] = [];
  for (let event = from; event < to; ++event) {
    words.push(trace.head(event), trace.a(event), trace.b(event), trace.c(event));
  }
  return Uint32Array.from(words);
}
