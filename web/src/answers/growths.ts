// Why a heap grew: each call during which a heap got more memory or was refused it, with what the heap had just before that call.
//
//   op_begun allocate 44 KiB ... memory_grown, segment_extended, bin_searched (top) ... op_ended
//   └ the state before it is what the call found; in between, the new memory already counts as free
//
//   grow.G1  A growth is every segment that is added or extended, and every request for linear memory, granted or not. Those of one call
//            are one growth.
//   grow.G2  needed: the chunk that the heap searched for behind its last step of growth (bin_searched); where no search follows (a
//            block grew in place), the chunk of what was asked.
//   grow.G3  The cause follows from what the heap that grew had free, alone: other heaps cannot serve its requests.
//            A heap that has no memory yet begins: also where no call makes it, as in a recorded module, whose memory was there before.
//   grow.G4  How large memory was before its first growth is said by that growth alone. So it is known when what follows has been read.

import type { HeapState } from '../model/state/heap_state.ts';
import type { History } from '../model/time/history.ts';
import type { GrowthCause, GrowthFigures } from '../protocol/answers.ts';
import { EventKind, kOpNames, Op } from '../protocol/event_layout.ts';
import type { SlabSizes } from '../protocol/slab_words.ts';
import { decodeEvent, type Event, isGrowth } from '../trace/decode.ts';
import type { OperationIndex } from '../trace/operations.ts';
import { chunkBytes } from './fit_policy.ts';
import { type FreeSpace, freeSpaceOf, leastRelease, type Release } from './free_space.ts';
import { kMostCallEvents } from './limits.ts';

/** The events of one growth. */
export interface GrowthPlace {
  /** The first event of the call, or the growth itself outside every call: the state before it is asked for. */
  readonly begin: number;
  readonly end: number; // behind the call, as far as it is read
  readonly first: number; // the first step of growth
}

/** A growth with all that its sentence says. */
export interface Growth {
  readonly figures: GrowthFigures;
  readonly site: number; // 0: not known
  readonly isOneOfMany: boolean; // other heaps lived then
  readonly free: FreeSpace | undefined; // undefined: not known
  readonly release: Release | undefined; // the pins
  /** What malloc makes of the memory, where it needs more than was asked: a slab of so many blocks of so many bytes. */
  readonly slab: Pick<SlabSizes, 'blocks' | 'blockBytes'> | undefined;
}

/** G1. steps: ascending; the operations are known up to the last of them. */
export function growthPlaces(operations: OperationIndex, steps: Iterable<number>): GrowthPlace[] {
  const places: GrowthPlace[] = [];
  let end = 0;
  for (const step of steps) {
    if (step < end) continue;
    const around = operations.around(step);
    const [begin, behind] = around === undefined || step >= around[1] ? [step, step + 1] : around;
    end = behind;
    places.push({ begin, end: Math.min(behind, begin + kMostCallEvents), first: step });
  }
  return places;
}

/** The call has begun, and found what was there before: its own words stand beside the answer, and not those of the call before it. */
export const momentInCall = ({ trace }: History, { begin }: GrowthPlace): number =>
  begin + (trace.kind(begin) === EventKind.opBegun ? 1 : 0);

/** The growth of the operation around the event before `at`, if it has begun to grow. O(log growths). */
export function growthAround({ operations, growthSteps }: History, at: number): GrowthPlace | undefined {
  const [begin, end] = (at === 0 ? undefined : operations.around(at - 1)) ?? [at, at];
  const first = growthSteps.countBelow(begin);
  const step = first < growthSteps.count ? growthSteps.at(first) : at;
  return step < Math.min(at, end) ? growthPlaces(operations, [step])[0] : undefined;
}

/** state: the one before the call (place.begin). */
export function growthOf(history: History, state: HeapState, place: GrowthPlace): Growth {
  const { trace, sites, operations } = history;
  const events = eventsOf(place, (event) => decodeEvent(trace, event));
  const steps = events.filter(({ kind, seq }) => seq >= place.first && isGrowth(kind));
  const [call] = events;
  const inCall = call?.kind === EventKind.opBegun ? call : undefined;
  const heapId = steps[0]?.heap ?? 0;
  const entry = state.heapById[heapId];
  const heap = entry?.living ? entry : undefined;
  const asked = askedOf(inCall);
  const wordSize = heap?.wordSize ?? 0;
  const needed = neededOf(events, steps, asked.request, wordSize || 4);
  const free = heap === undefined || state.isForeign ? undefined : freeSpaceOf(state, heap);
  const footprint = heap === undefined ? 0 : footprintOf(state, heap.id);
  const cause = footprint === 0 ? 'begins' : causeOf(inCall, free, needed);
  const release = cause === 'fragmented' && heap !== undefined ? leastRelease(state, heap, needed) : undefined;
  const made = events.find(({ kind, seq, c }) => kind === EventKind.slabMade && seq > place.first && c > 0);
  const memory = steps.filter(({ kind }) => kind === EventKind.memoryGrown);
  return {
    figures: {
      event: place.first + 1,
      call_event: place.begin,
      heap: heapId,
      call: inCall === undefined ? 'none' : (kOpNames.get(inCall.detail) ?? 'unknown'),
      request_bytes: asked.request,
      request_blocks: asked.blocks,
      needed_bytes: needed,
      free_bytes: free?.bytes ?? 0,
      free_pieces: free?.pieces ?? 0,
      largest_free_bytes: free?.largest ?? 0,
      cached_bytes: heap?.cached ?? 0,
      footprint_from_bytes: footprint,
      footprint_to_bytes: footprint + steps.reduce((sum, step) => sum + (step.heap === heapId ? addedBy(step) : 0), 0),
      ...memoryOfGrowth(history, place),
      refused: memory.some(({ detail }) => detail === 0),
      cause,
      pin_blocks: release?.blocks.length ?? 0,
      pin_bytes: release?.bytes ?? 0,
    },
    isOneOfMany: state.heaps.some(({ living, id }) => living && id !== heapId),
    site: sites.areEntered && inCall !== undefined ? sites.ofEvent(place.begin, operations) : 0,
    free,
    release,
    slab: made === undefined ? undefined : { blocks: made.c, blockBytes: made.b },
  };
}

function eventsOf({ begin, end }: GrowthPlace, decode: (event: number) => Event): Event[] {
  return Array.from({ length: end - begin }, (_, i) => decode(begin + i));
}

function addedBy({ kind, b, c }: Event): number {
  if (kind === EventKind.segmentAdded) return b;
  return kind === EventKind.segmentExtended ? c - b : 0;
}

/** G4. Both 0: no event so far says how large memory is. */
export const memoryOfGrowth = ({ memoryBytes }: History, { begin, end }: GrowthPlace) => {
  const from = memoryBytes.at(begin) ?? 0;
  return { memory_from_bytes: from, memory_to_bytes: from === 0 ? 0 : (memoryBytes.at(end) ?? from) };
};

const footprintOf = (state: HeapState, heap: number): number =>
  state.segments.reduce((sum, segment) => sum + (segment.heap === heap ? segment.size : 0), 0);

/** What the program asked for in one call: so many bytes, so many times. */
function askedOf(call: Event | undefined): { readonly request: number; readonly blocks: number } {
  if (call === undefined) return { request: 0, blocks: 0 };
  const { detail, b, c } = call;
  if (detail === Op.poolBurst) return { request: 0, blocks: b };
  if (detail === Op.burstNodes) return { request: b, blocks: c };
  if (detail === Op.burstArrays) return { request: 0, blocks: c };
  return { request: b, blocks: 1 };
}

/** G2 */
function neededOf(events: readonly Event[], steps: readonly Event[], request: number, wordSize: 4 | 8): number {
  const last = steps[steps.length - 1];
  const search = events.find(
    ({ kind, seq, heap }) => kind === EventKind.binSearched && seq > (last?.seq ?? 0) && heap === last?.heap,
  );
  return search?.a ?? chunkBytes(request, wordSize);
}

/** G3 */
function causeOf(call: Event | undefined, free: FreeSpace | undefined, needed: number): GrowthCause {
  if (call === undefined || free === undefined) return 'unknown';
  if (free.bytes < needed) return 'too_little_free';
  if (free.largest < needed) return 'fragmented';
  return call.detail === Op.reallocate || call.detail === Op.command ? 'in_place' : 'unknown';
}
