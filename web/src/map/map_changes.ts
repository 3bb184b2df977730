// What one step changed, from the chunks of two frames: for motion only. A header that is new came out of the chunk
// that held its place before (split); a header that is gone went into the chunk that holds its place now (merge).
//
//     before  |A              |              |A      |B      |
//     after   |A      |B      |              |A              |
//              split: B slides from A's start    merge: B slides to A's start
//
//  Both lists are ascending, so one pass finds all. More than kMostChanges at once is a jump, not a step: no motion.

import type { ChunkMarks, MapFrame } from '../protocol/map_frames.ts';
import { rangeAt } from './map_marks.ts';

const kMostChanges = 48;

export interface MapChange {
  /** A header slides from one address to another; 'state': the chunk at `to` flashes where it is. */
  readonly kind: 'split' | 'merge' | 'state';
  readonly from: number;
  readonly to: number;
  readonly size: number; // of the chunk that is new, gone or changed
}

export function changesBetween(before: MapFrame, after: MapFrame): readonly MapChange[] {
  if (before.chunks === undefined || after.chunks === undefined) return [];
  const old = before.chunks;
  const now = after.chunks;
  const start = Math.max(old.address[0] ?? 0, now.address[0] ?? 0);
  const end = Math.min(endOf(old), endOf(now));
  const changes: MapChange[] = [];
  for (let i = 0, j = 0; i < old.count || j < now.count; ) {
    const was = i < old.count ? (old.address[i] ?? 0) : Infinity;
    const is = j < now.count ? (now.address[j] ?? 0) : Infinity;
    const change = was < is ? gone(old, i++, now) : is < was ? came(now, j++, old) : kept(old, i++, now, j++);
    if (change === undefined || change.to < start || change.to >= end) continue;
    if (changes.length === kMostChanges) return [];
    changes.push(change);
  }
  return changes;
}

const endOf = (chunks: ChunkMarks): number =>
  (chunks.address[chunks.count - 1] ?? 0) + (chunks.size[chunks.count - 1] ?? 0);

function gone(old: ChunkMarks, index: number, now: ChunkMarks): MapChange | undefined {
  const address = old.address[index] ?? 0;
  const into = rangeAt(now, address);
  if (into === undefined) return undefined;
  return { kind: 'merge', from: address, to: now.address[into] ?? address, size: old.size[index] ?? 0 };
}

function came(now: ChunkMarks, index: number, old: ChunkMarks): MapChange | undefined {
  const address = now.address[index] ?? 0;
  const outOf = rangeAt(old, address);
  if (outOf === undefined) return undefined;
  return { kind: 'split', from: old.address[outOf] ?? address, to: address, size: now.size[index] ?? 0 };
}

function kept(old: ChunkMarks, i: number, now: ChunkMarks, j: number): MapChange | undefined {
  if (old.state[i] === now.state[j]) return undefined;
  const address = now.address[j] ?? 0;
  return { kind: 'state', from: address, to: address, size: now.size[j] ?? 0 };
}
