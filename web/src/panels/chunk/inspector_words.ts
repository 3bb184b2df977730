// What the inspector says about a chunk, as text: pure, so that it can be tested without a page.

import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import { type BlockNames, kNoNames, nameOfBlock } from '../../map/pool_names.ts';
import { ChunkState } from '../../protocol/map_frames.ts';
import { slabInWords } from '../../protocol/slab_words.ts';
import type { InspectFrame, InspectSlab, Neighbour } from './part.ts';

const kStates: Readonly<Record<number, string>> = {
  [ChunkState.free]: 'free',
  [ChunkState.inUse]: 'in use',
  [ChunkState.top]: 'top',
  [ChunkState.victim]: 'designated victim',
  [ChunkState.poolBlock]: 'in use, holds a block',
  [ChunkState.cached]: 'cached',
};

const stateText = (state: number): string => kStates[state] ?? 'unknown';

/** The line under the address: "free · bin 14 · 2 links", "cached · on list 9 (chunks of 72 B) of thread 2". */
export function stateLine(frame: InspectFrame, names: BlockNames = kNoNames): string {
  if (frame.what === 'outside') return 'outside of every heap';
  if (frame.what === 'segment_header') return `heap #${frame.heap} · the segment's own words`;
  if (frame.node !== undefined) {
    return `${frame.node.inUse ? 'in use' : 'free'} · ${formatBytes(frame.node.size)} · ${poolText(frame, names)}`;
  }
  if (frame.slab !== undefined) return slabText(frame, frame.slab);
  const parts = [stateText(frame.state)];
  if (frame.cached !== undefined) parts.push(listText(frame.cached));
  if (frame.bin !== undefined) parts.push(`bin ${frame.bin.bin}`);
  const links = [frame.nextFree, frame.prevFree].filter((link) => link !== undefined).length;
  if (frame.bin !== undefined) parts.push(links === 1 ? '1 link' : `${links} links`);
  if (frame.pool !== undefined) parts.push(poolText(frame, names));
  return parts.join(' · ');
}

/** "in use · in a slab of 31 blocks of 48 B, 7 of them free" */
function slabText({ state }: InspectFrame, slab: InspectSlab): string {
  if (slab.blocks === 0) return 'cached · malloc notes here where slabs lie';
  if (slab.part === 'own') return `cached · the words of ${slabInWords(slab)}`;
  if (slab.part === 'rest') return `cached · the rest of ${slabInWords(slab)}`;
  return `${stateText(state)} · in ${slabInWords(slab)}`;
}

/** "on list 9 (chunks of 72 B) of thread 2" */
function listText({ list, low, high, holder }: NonNullable<InspectFrame['cached']>): string {
  const of = holder === 0 ? 'at the centre, for every thread' : `of thread ${holder}`;
  if (list === undefined) return `on a list ${of}`;
  const sizes = low === high ? formatBytes(low) : `${formatBytes(low)} to ${formatBytes(high)}`;
  return `on list ${list} (chunks of ${sizes}) ${of}`;
}

/** "pool #2", "span of class 128": the block's own name tells the number of its pool. */
const poolText = (frame: InspectFrame, names: BlockNames): string => nameOfBlock(names, frame.pool ?? 0);

/** A block without a header: of a slab, or of a foreign heap, where none is known. */
export const hasNoHeader = (frame: InspectFrame): boolean => frame.what === 'chunk' && frame.usable === frame.size;

/** The heading: what the address names. */
export const kindText = (frame: InspectFrame): string =>
  frame.node !== undefined
    ? 'Node'
    : frame.what === 'segment_header'
      ? 'Segment'
      : hasNoHeader(frame)
        ? 'Block'
        : frame.slab !== undefined
          ? frame.slab.blocks === 0
            ? 'Map of slabs'
            : 'Slab'
          : 'Chunk';

export interface HeaderPart {
  readonly text: string;
  readonly title: string;
  readonly kind: 'size' | 'set' | 'clear' | 'own';
}

/** The header word as it stands: size, then the flag bits from high to low. */
export function headerParts(frame: InspectFrame): readonly HeaderPart[] {
  const word = frame.headerWord >>> 0;
  const size = word - (word & 7);
  const bit = (mask: number): 0 | 1 => ((word & mask) !== 0 ? 1 : 0);
  const kind = (mask: number): 'set' | 'clear' => (bit(mask) === 1 ? 'set' : 'clear');
  const cached = bit(4) === 1 && bit(1) === 0;
  return [
    { text: `size 0x${size.toString(16).padStart(4, '0')}`, title: 'size with header, in bytes', kind: 'size' },
    {
      text: `B ${bit(4)}`,
      title: cached ? 'cached: B without C' : bit(4) === 1 ? 'holds a block of a pool' : 'holds no block of a pool',
      kind: kind(4),
    },
    { text: `P ${bit(2)}`, title: bit(2) === 1 ? 'previous chunk in use' : 'previous chunk free', kind: kind(2) },
    {
      text: `C ${bit(1)}`,
      title: bit(1) === 1 ? 'this chunk in use' : cached ? 'this chunk belongs to no caller' : 'this chunk free',
      kind: bit(1) === 1 ? 'set' : 'own',
    },
  ];
}

export interface Row {
  readonly name: string;
  readonly text: string;
  readonly link: number | undefined; // selects this address
}

export function rowsOf(frame: InspectFrame): readonly Row[] {
  if (frame.what === 'outside' || frame.what === 'segment_header') return [];
  const rows: Row[] = [];
  const add = (name: string, text: string | undefined, link?: number): void => {
    if (text !== undefined) rows.push({ name, text, link });
  };
  add('size', formatBytes(frame.size));
  if (!hasNoHeader(frame)) add('usable', formatBytes(frame.usable));
  add('request', frame.request === undefined ? undefined : formatBytes(frame.request));
  if (frame.slab !== undefined && frame.slab.part !== 'own') {
    const nth =
      frame.slab.part === 'rest'
        ? 'rest of'
        : `${formatCount(frame.slab.nth + 1)} of ${formatCount(frame.slab.blocks)} in`;
    add('slab', `${nth} ${formatAddress(frame.slab.chunk)}`, frame.slab.chunk);
  }
  add('previous', neighbourText(frame.previous), frame.previous?.address);
  add('next', neighbourText(frame.next), frame.next?.address);
  if (frame.bin !== undefined) {
    add('next free', linkText(frame.nextFree), frame.nextFree);
    add('prev free', linkText(frame.prevFree), frame.prevFree);
  }
  add('heap', `#${frame.heap}`);
  return rows;
}

/** A node's own rows and its block's, when the address lies in one. */
export function poolRows(frame: InspectFrame): readonly Row[] {
  const rows: Row[] = [];
  const { block, node } = frame;
  if (block !== undefined) {
    rows.push({ name: 'block', text: formatAddress(block.address), link: block.address });
    rows.push({ name: 'block size', text: formatBytes(block.size), link: undefined });
    rows.push({ name: 'free nodes', text: formatCount(block.freeNodes), link: undefined });
  }
  if (node !== undefined) rows.push({ name: 'chunk', text: formatAddress(frame.chunk), link: frame.chunk });
  return [...rows, ...smallRows(frame)];
}

/** Of a block of the small front: which thread had it last, and where the blocks of its class are. */
function smallRows({ small }: InspectFrame): readonly Row[] {
  if (small === undefined) return [];
  const { row, threads, lastThread } = small;
  const rows: Row[] = [];
  const add = (name: string, text: string): void => {
    rows.push({ name, text, link: undefined });
  };
  if (lastThread !== undefined) add('last thread', String(lastThread));
  add('class in use', formatCount(row.inUse));
  add('central list', formatCount(row.central));
  threads.forEach((thread, index) => {
    const cached = row.cached[index] ?? 0;
    if (cached > 0) add(`cache of thread ${thread}`, formatCount(cached));
  });
  return rows;
}

const neighbourText = (chunk: Neighbour | undefined): string =>
  chunk === undefined
    ? 'none'
    : `${formatAddress(chunk.address)} ${shortState(chunk.state)} ${formatBytes(chunk.size)}`;

const linkText = (link: number | undefined): string => (link === undefined ? 'none' : `${formatAddress(link)} →`);

const shortState = (state: number): string =>
  state === ChunkState.poolBlock ? 'pool' : state === ChunkState.victim ? 'victim' : stateText(state);

export interface BytesLine {
  readonly address: string;
  readonly hex: string;
  readonly text: string;
}

/** Eight bytes a line, after the lower half of its address; what is not printable as a dot. */
export function bytesLines(address: number, values: Uint8Array): readonly BytesLine[] {
  const lines: BytesLine[] = [];
  for (let at = 0; at < values.length; at += 8) {
    const part = [...values.subarray(at, at + 8)];
    lines.push({
      address: (address + at).toString(16).padStart(8, '0').slice(-4),
      hex: part.map((value) => value.toString(16).padStart(2, '0')).join(' '),
      text: part.map((value) => (value > 32 && value < 127 ? String.fromCharCode(value) : '.')).join(''),
    });
  }
  return lines;
}
