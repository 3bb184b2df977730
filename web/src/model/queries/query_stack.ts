// The call stack that made what is at an address: for the words beside the pointer, and as a part of all about a chunk.

import { EventKind } from '../../protocol/event_layout.ts';
import { ChunkState } from '../../protocol/map_frames.ts';
import { chunkContaining, chunkStateOf } from '../state/chunk_at.ts';
import type { HeapState } from '../state/heap_state.ts';
import type { History } from '../time/history.ts';

const kMostShownFrames = 32;

/** Of the operation that an event is in, which gave a block to the program; innermost first. */
export function stackOfEvent({ sites, operations, trace }: History, event: number): readonly string[] | undefined {
  const kind = trace.kind(event);
  if (event === 0 || !sites.areEntered || kind === EventKind.nodeReturned || kind === EventKind.chunkCached)
    return undefined;
  const stack = sites.stack(sites.ofEvent(event, operations)).slice(0, kMostShownFrames);
  return stack.length === 0 ? undefined : stack;
}

/** Of the chunk in use around an address; undefined: there is none, or the trace does not say. O(log calls), and no event is read. */
export function queryStack(history: History, state: HeapState, address: number): readonly string[] | undefined {
  const at = chunkContaining(state, address);
  if (at === undefined) return undefined;
  const granule = state.granuleAt(at);
  return chunkStateOf(state, granule) === ChunkState.inUse
    ? stackOfEvent(history, state.born[granule] ?? 0)
    : undefined;
}
