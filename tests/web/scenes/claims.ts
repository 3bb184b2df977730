// What each question with options claims, counted again on the model: the option that is right, from the frames before and
// after its calls. What a scene tells comes from what the calls returned; this comes from the events.

import { kInspect } from '../../../web/src/panels/chunk/part.ts';
import type { Frame } from '../../../web/src/protocol/frames.ts';
import { ChunkState } from '../../../web/src/protocol/map_frames.ts';
import { partOf } from '../../../web/src/protocol/parts.ts';
import type { PlaceKind } from '../../../web/src/protocol/scenes.ts';

interface Moment {
  readonly before: Frame;
  readonly after: Frame;
}

const chunksOf = ({ map }: Frame, state: number): number =>
  map?.chunks?.state.filter((each) => each === state).length ?? -1;
const holes = (frame: Frame): number => chunksOf(frame, ChunkState.free) + chunksOf(frame, ChunkState.victim);
const inspectOf = ({ parts }: Frame) => partOf(parts, kInspect);
const sizeAt = (frame: Frame): number => inspectOf(frame)?.size ?? -1;
const sizes = [20, 24, 28, 32];

/** By scene and title of the step that asks for a place: what lies there while it is asked, as the reason says. */
export const kPlaceKinds: Readonly<Record<string, PlaceKind>> = {
  'what_is_a_heap: One more block': 'top',
  'what_is_a_heap: A block as large as the hole': 'free',
  'what_is_a_heap: More than the hole has': 'top',
  'boundary_tags: A free chunk has two tags': 'used',
  'splitting: Another small request': 'victim',
  'best_fit: 880 bytes': 'free',
  'best_fit: 1,000 bytes': 'free',
  'best_fit: 1,500 bytes': 'free',
  'best_fit: 2,500 bytes': 'top',
  'top_and_victim: A small request': 'free',
  'top_and_victim: Two holes to choose from': 'victim',
  'top_and_victim: Exactly the size of the hole': 'free',
  'top_and_victim: A large request': 'top',
  'growing_backward: The array needs more': 'free',
  'pools: The next node': 'node',
  'small_blocks: malloc(40) again': 'cached',
  'caches_and_threads: Thread 1 calls malloc': 'cached',
  'memory_that_stays: The block that holds it': 'used',
  'memory_that_goes_back: The block that keeps a page': 'used',
  'who_holds: Where to look first': 'used',
  'why_it_grew: What keeps them apart': 'used',
  'leak_hunt: Find it': 'used',
};

/** By scene and title of the step: the option that is right. */
export const kClaims: Readonly<Record<string, (moment: Moment) => number>> = {
  'boundary_tags: The size of a chunk': ({ after }) => sizes.indexOf(sizeAt(after)),
  'boundary_tags: One byte more': ({ after }) => sizes.indexOf(sizeAt(after)),
  // The chunk keeps its size when it is freed with nothing but its address.
  'boundary_tags: Free gets an address and no size': ({ before, after }) =>
    sizeAt(before) === sizeAt(after) && inspectOf(after)?.state === ChunkState.free ? 1 : 0,
  'splitting: A small request': ({ before, after }) =>
    sizeAt(after) === sizeAt(before) ? 0 : sizeAt(after) === 104 ? 2 : 1,
  'splitting: A hole that almost fits': ({ after }) => (sizeAt(after) === 112 ? 1 : 0),
  'joining: A and C are freed': ({ after }) => holes(after),
  'joining: B is freed': ({ after }) => holes(after),
  'joining: D is freed': ({ after }) => holes(after),
  'fragmentation: One larger block': ({ before, after }) => (after.status.footprint > before.status.footprint ? 1 : 0),
  'refusal: A request of 4,096 bytes': ({ after }) =>
    inspectOf(after)?.state === ChunkState.inUse && sizeAt(after) >= 4096 ? 0 : 1,
  // What lies in the first words of the chunk then: an address of another one in the bin.
  'broken_link: Another block is freed': ({ before, after }) =>
    inspectOf(before)?.nextFree === undefined && inspectOf(after)?.nextFree !== undefined ? 1 : 0,
  'growing_forward: The array needs more': movedOrGrew,
  'growing_forward: And more': movedOrGrew,
  'growing_forward: With top behind it': movedOrGrew,
  'growing_backward: Free memory on both sides': ({ before, after }) =>
    chunksOf(before, ChunkState.inUse) === chunksOf(after, ChunkState.inUse) && sizeAt(after) >= 900 ? 0 : 1,
  // Eight chunks of one size more, the first right after the hole's start, and still one hole.
  'bursts: Eight nodes in one call': ({ before, after }) =>
    chunksOf(after, ChunkState.inUse) - chunksOf(before, ChunkState.inUse) === 8 && holes(after) === 1 ? 0 : 1,
  'bursts: One node goes': ({ before, after }) => (holes(after) === holes(before) + 1 ? 0 : 1),
  'bursts: The others go together': ({ after }) => 3 - holes(after),
  'pools: What a node costs': ({ after }) => [32, 36, 40].indexOf(inspectOf(after)?.node?.size ?? -1),
  'heap_per_structure: One list goes': ({ after }) => (holes(after) > 5 ? 1 : 0),
  'heap_per_structure: That list goes too': ({ before, after }) =>
    before.status.heaps.length - after.status.heaps.length === 1 &&
    after.status.operations - before.status.operations === 1
      ? 1
      : 0,
  // The place is where thread 2's block lies: it was not cached.
  // Both are free, and each has its size.
  'small_blocks: A block is freed': ({ before, after }) =>
    inspectOf(after)?.state === ChunkState.cached &&
    sizeAt(after) === sizeAt(before) &&
    inspectOf(after)?.slab?.free === 2
      ? 1
      : 0,
  'small_blocks: One survivor': becameChunks,
  'small_blocks: Two neighbours': (moment) => 1 - becameChunks(moment),
  'caches_and_threads: Thread 2 calls malloc': ({ before }) => (inspectOf(before)?.state === ChunkState.cached ? 0 : 1),
  'caches_and_threads: What a cache costs': ({ after }) =>
    inspectOf(after)?.state === ChunkState.free && sizeAt(after) === 4 * 112 ? 0 : 1,
  'who_holds: The cache is emptied': ({ before, after }) => {
    const share = 1 - after.status.inUse / before.status.inUse;
    return share > 0.8 ? 0 : share > 1 / 3 ? 1 : 2;
  },
  'why_it_grew: The cause': ({ after }) =>
    after.status.freeBytes < 1200 ? 0 : after.status.largestFree < 1200 ? 1 : 2,
  'memory_that_stays: The program asks for less memory': ({ before, after }) =>
    after.status.footprint < before.status.footprint ? 0 : 1,
  'memory_that_goes_back: A fresh memory': ({ after: { status } }) => {
    const share = status.returnable / status.footprint;
    return share > 2 / 3 ? 2 : share > 1 / 3 ? 1 : 0;
  },
};

/** The place told is where the array lies afterwards: the same block, larger, or another one. */
function movedOrGrew({ before, after }: Moment): number {
  if (sizeAt(after) <= 0) return 2;
  return inspectOf(before)?.state === ChunkState.inUse && inspectOf(before)?.chunk === inspectOf(after)?.chunk ? 0 : 1;
}

/** The block lay in a slab, and is a chunk in use at the same place. */
function becameChunks({ before, after }: Moment): number {
  const [was, is] = [inspectOf(before), inspectOf(after)];
  if (was?.slab === undefined || is?.state !== ChunkState.inUse) return 2;
  return is.slab === undefined ? 1 : 0;
}
