// Things on the map in words: for the read-out under the mouse, for the screen reader, for the table.

import { formatAddress, formatBytes, formatCount } from '../base/format.ts';
import {
  ChunkState,
  kOwnWords,
  kSlabBlock,
  kSlabRest,
  kSlabTable,
  type MapFrame,
  NodeState,
} from '../protocol/map_frames.ts';
import { rowOfViewport } from '../protocol/viewport.ts';
import { emptyWord } from './draw_folds.ts';
import { type Found, rangeAt } from './map_marks.ts';
import { type BlockNames, kNoNames, nameOfBlock } from './pool_names.ts';

const kStateWords: Readonly<Record<number, string>> = {
  [ChunkState.free]: 'free',
  [ChunkState.inUse]: 'in use',
  [ChunkState.top]: 'top',
  [ChunkState.victim]: 'free, designated victim',
  [ChunkState.poolBlock]: 'pool block',
  [ChunkState.cached]: 'cached',
};

const kSlabWords: Readonly<Record<number, string>> = {
  [kOwnWords]: 'a slab’s own words',
  [kSlabRest]: 'the rest of a slab',
  [kSlabTable]: 'where malloc notes slabs',
};

/** slab: what it is of a slab, as ChunkMarks has it. */
export const stateWord = (state: number, slab = 0): string => kSlabWords[slab] ?? kStateWords[state] ?? 'unknown';

const nodeWord = (state: number): string =>
  state === NodeState.free ? 'free' : state === NodeState.lastTouched ? 'in use, just touched' : 'in use';

export interface Described {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What is at an address, undefined where the heap knows nothing. */
export function describe(
  frame: MapFrame,
  found: Found,
  address: number,
  names: BlockNames = kNoNames,
): Described | undefined {
  const { chunk, block, node } = found;
  if (chunk === undefined) return describeRow(frame, address);
  const lines: string[] = [];
  if (frame.segments.some(({ heap }) => heap !== chunk.heap)) lines.push(`heap #${chunk.heap}`);
  const pool = block === undefined ? undefined : frame.blocks.pool[block.index];
  if (block !== undefined && pool !== undefined) {
    const nodes = frame.blocks.nodes[block.index] ?? 0;
    const free = frame.blocks.freeNodes[block.index] ?? 0;
    lines.push(`${nameOfBlock(names, pool)}: ${formatCount(nodes - free)} of ${formatCount(nodes)} nodes in use`);
  }
  if (node !== undefined) {
    return {
      title: formatAddress(node.address),
      lines: [`node, ${nodeWord(node.state)}, ${formatBytes(node.size)}`, ...lines],
    };
  }
  const slab = frame.chunks?.slab?.[chunk.index];
  if (slab === kSlabBlock) lines.unshift('in a slab');
  const group = frame.groups?.names[(frame.groups.group[chunk.index] ?? 0) - 1];
  if (group !== undefined && group !== '') lines.push(group);
  return {
    title: formatAddress(chunk.address),
    lines: [`${stateWord(chunk.state, slab)}, ${formatBytes(chunk.size)}`, ...lines],
  };
}

/** The far view has no chunks: what share of the cell under the pointer is what. */
function describeRow(frame: MapFrame, address: number): Described | undefined {
  const segment = frame.segments.find(({ base, size }) => address >= base && address < base + size);
  const title = formatAddress(Math.max(Math.floor(address), 0));
  if (segment === undefined) {
    return address >= 0 && address < frame.memoryBytes ? { title, lines: ['outside of the heap'] } : undefined;
  }
  const { cells } = frame;
  const run = rangeAt(frame.empty, address);
  if (run !== undefined) {
    return { title, lines: [`${emptyWord(frame.empty.kind[run])}, ${formatBytes(frame.empty.size[run] ?? 0)}`] };
  }
  if (cells === undefined) {
    return { title, lines: [frame.wordSize === 0 ? 'no block was recorded here' : "the segment's own words"] };
  }
  const { bytesPerRow } = frame.viewport;
  const cellBytes = bytesPerRow / cells.cellsPerRow;
  const row = rowOfViewport(frame.viewport, address);
  if (row === undefined) return undefined;
  const inRow = Math.floor(((address - frame.viewport.origin) % bytesPerRow) / cellBytes);
  const index = row * cells.cellsPerRow + inRow;
  const share = (value: number | undefined): string => `${Math.round(((value ?? 0) / 255) * 100)} %`;
  const lines = [`${formatBytes(Math.round(cellBytes))} here: ${share(cells.inUse[index])} in use`];
  if ((cells.cached[index] ?? 0) > 0) lines.push(`${share(cells.cached[index])} cached`);
  if ((cells.pool[index] ?? 0) > 0) lines.push(`${share(cells.pool[index])} pool blocks`);
  if ((cells.free[index] ?? 0) > 0) lines.push(`${share(cells.free[index])} free`);
  if ((cells.top[index] ?? 0) > 0) lines.push(`${share(cells.top[index])} top`);
  return { title, lines };
}

/** One sentence for the live region. */
export function spoken(frame: MapFrame, found: Found, address: number, names: BlockNames = kNoNames): string {
  const described = describe(frame, found, address, names);
  return described === undefined ? 'nothing selected' : [described.title, ...described.lines].join(', ');
}
