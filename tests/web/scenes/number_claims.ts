// What a scene says of its number, written again from the frames before and after the calls: sizes, states and places come from the
// events, not from what the calls returned. A claim gives the sentence as it has to be.

import { formatBytes, formatCount } from '../../../web/src/base/format.ts';
import { kInspect } from '../../../web/src/panels/chunk/part.ts';
import type { Frame } from '../../../web/src/protocol/frames.ts';
import { ChunkState } from '../../../web/src/protocol/map_frames.ts';
import { partOf } from '../../../web/src/protocol/parts.ts';

export interface Tried {
  readonly before: Frame;
  readonly after: Frame;
  readonly number: number;
  readonly said: string;
  readonly places: readonly number[];
}

const inspectOf = ({ parts }: Frame) => partOf(parts, kInspect);
const stateOf = (frame: Frame) => inspectOf(frame)?.state ?? -1;
const sizeOf = (frame: Frame) => inspectOf(frame)?.size ?? -1;
const isFree = (state: number) => state === ChunkState.free || state === ChunkState.victim;
/** How many chunks are in a state. */
const count = ({ map }: Frame, states: readonly number[]) =>
  map?.chunks?.state.filter((state) => states.includes(state)).length ?? -1;
const kHoles = [ChunkState.free, ChunkState.victim];
const inUseBytes = ({ map }: Frame) =>
  map?.chunks?.size.reduce((sum, size, at) => sum + (map.chunks?.state[at] === ChunkState.inUse ? size : 0), 0) ?? -1;
/** The first segment of the heap has one unit of growth; what ends behind it is in memory that was added. */
const grew = ({ after, places }: Tried) =>
  (places[0] ?? 0) - 4 + sizeOf(after) > ((after.map?.segments[0]?.base ?? 0) & ~0xffff) + 65_536;

const fitsOrGrows = (tried: Tried): string => {
  const where = grew(tried) ? 'fit into no hole: the heap grew' : 'fit into a hole';
  return `${formatCount(tried.number)} bytes ${where}.`;
};

/** By scene. */
export const kNumberClaims: Readonly<Record<string, (tried: Tried) => string>> = {
  what_is_a_heap: ({ before, number }) =>
    `${formatCount(number)} bytes lie ${isFree(stateOf(before)) ? 'in the hole' : 'at the start of top, behind the last block'}.`,
  boundary_tags: ({ after, number }) => {
    const unused = sizeOf(after) - 4 - number;
    return `${number} bytes take a chunk of ${sizeOf(after)}: 4 for the tag, ${unused === 0 ? 'none' : unused} unused.`;
  },
  splitting: ({ after, number, places }) => {
    const { address = [], size = [], state = [] } = after.map?.chunks ?? {};
    const behind = [...address].indexOf((places[0] ?? 0) - 4) + 1;
    const rest = isFree(state[behind] ?? -1) ? (size[behind] ?? 0) : 0;
    const said = rest > 0 ? `${rest} bytes are split off and stay free` : 'nothing is split off';
    return `${number} bytes get ${sizeOf(after) - 4} of the hole, and ${said}.`;
  },
  joining: ({ after, number }) => {
    const gone = Math.ceil(8 / number);
    const holes = count(after, kHoles);
    return `${gone === 1 ? 'One block is free' : `${gone} blocks are free`}, in ${holes === 1 ? 'one hole' : `${holes} holes`}.`;
  },
  // The hole's size is its chunk before the calls, which free the blocks of the questions first: so it is found by what is left.
  best_fit: ({ after, number, places }) => {
    const { address = [], size = [], state = [] } = after.map?.chunks ?? {};
    const at = [...address].indexOf((places[0] ?? 0) - 4);
    const rest = isFree(state[at + 1] ?? -1) ? (size[at + 1] ?? 0) : 0;
    const hole = (size[at] ?? 0) + rest - 4;
    const named = [604, 900, 1204, 2004].find((each) => Math.abs(each - hole) < 8);
    const where =
      named === undefined ? 'at the start of top' : `in the hole of ${formatCount(named - (named % 100))} bytes`;
    return `${formatCount(number)} bytes lie ${where}.`;
  },
  top_and_victim: ({ before, after, number }) => {
    const state = stateOf(before);
    const who = state === ChunkState.top ? 'top' : state === ChunkState.victim ? 'the victim' : 'the second hole';
    return sizeOf(after) > 0 ? `${number} bytes come from ${who}.` : '';
  },
  fragmentation: fitsOrGrows,
  why_it_grew: fitsOrGrows,
  growing_forward: ({ after, number, places }) => {
    // Right before the array lies the block before it; where it moved, its old chunk is free.
    const { address = [], state = [] } = after.map?.chunks ?? {};
    const at = [...address].indexOf((places[0] ?? 0) - 4);
    const moved = count(after, [ChunkState.free, ChunkState.victim]) > 0 && isLastInUse(state, at);
    return `For ${formatCount(number)} bytes ${moved ? 'the array moved' : 'the array grew where it is'}.`;
  },
  growing_backward: ({ after, number, said }) => {
    const size = sizeOf(after);
    const wanted = Math.ceil(number / 8) * 8;
    if (size - 4 < wanted) return `For ${number} bytes it cannot grow.`;
    return /grows (forward|backward, and its first byte is \d+ bytes lower)\.$/.test(said) ? said : '';
  },
  bursts: ({ after, number, places }) => {
    const { address = [] } = after.map?.chunks ?? {};
    const fence = [...address].filter((begin) => begin > (address[0] ?? 0) + 1500)[0] ?? 0;
    const inside = places.filter((place) => place < fence).length;
    return `${number} nodes: ${inside} in the hole${inside === number ? '' : `, ${number - inside} outside`}.`;
  },
  pools: ({ after, number }) => `A node of ${number} bytes takes ${inspectOf(after)?.node?.size}: a node has no tag.`,
  heap_per_structure: ({ before, after, number }) => {
    const calls = after.status.operations - before.status.operations;
    const half = Math.ceil(number / 2);
    // Each block is made by one call; half are freed one by one. To make a heap with its pool are three, to end it is one.
    const freed = calls - number - 3 - 1;
    return freed === half
      ? `For ${number} blocks: the common heap ${half}, the heap of their own 1.`
      : `${calls} calls`;
  },
  small_blocks: ({ after, number }) => {
    const place = partOf(after.parts, kInspect);
    const becomes =
      place?.slab !== undefined
        ? 'stays a slab'
        : place?.state === ChunkState.inUse
          ? 'becomes chunks'
          : 'goes back whole';
    return `Of 24 blocks ${number} stay: the slab ${becomes}.`;
  },
  caches_and_threads: ({ after, number, said }) => {
    const cached = count(after, [ChunkState.cached]);
    const isFull = said.includes('the cache was full');
    const words = isFull
      ? 'the cache was full, and thread 2 got one that left it'
      : 'all of them stayed in the cache of thread 1';
    const agrees = isFull ? cached < number : cached >= number;
    return agrees ? `Of ${formatCount(number)} freed blocks: ${words}.` : `${cached} are cached`;
  },
  memory_that_stays: ({ after, number, said }) => {
    const back = /^(Nothing comes|.* come) back: /.exec(said)?.[1] ?? '';
    const nothing = back === 'Nothing comes';
    // Nothing comes back only where the small block lies at the end.
    const isNearEnd = after.status.footprint > 14 * 9996;
    return nothing === isNearEnd
      ? `${back} back: ${number} large blocks were made before it.`
      : `${after.status.footprint}`;
  },
  memory_that_goes_back: ({ after, number }) =>
    `${number} stay: ${after.status.returnable / 65_536} pages of 64 KiB could go back.`,
  who_holds: ({ after, number }) => {
    const { size = [], state = [] } = after.map?.chunks ?? {};
    const used = [...size].filter((_, at) => state[at] === ChunkState.inUse);
    const sum = (sizes: readonly number[]) => sizes.reduce((all, each) => all + each - 4, 0);
    const [cache, index] = [sum(used.filter((each) => each === 88)), sum(used.filter((each) => each > 1000))];
    const said = `cache ${formatBytes(cache)} in ${formatCount(number)} blocks, index ${formatBytes(index)} in 5`;
    return `The ${cache > index ? 'cache' : 'index'} holds more: ${said}.`;
  },
  // The bytes are those that were asked for: chunks have a tag each, and now and then 8 bytes that nobody can use.
  leak_hunt: ({ before, after, number, said }) => {
    const more = count(after, [ChunkState.inUse]) - count(before, [ChunkState.inUse]);
    const most = inUseBytes(after) - inUseBytes(before) - 4 * more;
    const [, figure = '0', kilo = ''] = /, ([\d.]+)\s(Ki)?B\.$/.exec(said) ?? [];
    const figureBytes = Number(figure) * (kilo === '' ? 1 : 1024);
    const isSo = figureBytes <= most * 1.001 && figureBytes >= most - 8 * more - 6;
    return isSo ? `${formatCount(more)} ${number === 1 ? 'block' : 'blocks'}, ${said.split(', ').at(-1)}` : `${most}`;
  },
  refusal: ({ after, number, places }) => {
    const served = places.length > 0 && stateOf(after) === ChunkState.inUse && sizeOf(after) >= number;
    const words = served ? 'fit into a hole' : 'fit into no hole: the heap refuses, though almost a megabyte is free';
    return `${formatCount(number)} bytes ${words}.`;
  },
  broken_link: ({ before, after }) => {
    const more = count(after, [ChunkState.free]) - count(before, [ChunkState.free]);
    return `${more} chunks are in a bin of their own: ${2 * more} addresses in memory that the program had.`;
  },
};

/** No block in use lies behind it: it is the last. */
const isLastInUse = (state: Uint8Array | readonly number[], at: number): boolean =>
  [...state].slice(at + 1).every((each) => each !== ChunkState.inUse);
