// What is shown, as tables: names and rows for CSV. Sizes are bytes, times are events, addresses are hexadecimal.

import { type CsvCell, csvText } from '../base/csv.ts';
import type { Shown } from '../panels/panel.ts';
import { ChunkState, type Frame, type TimelineFrame } from '../protocol/frames.ts';

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
}

/** The parts of the last frames that a table can be made of. */
export type TableSource = Pick<Shown, 'frame' | 'sizes' | 'sites' | 'compare'> & {
  readonly timeline: TimelineFrame | undefined;
};

const hex = (address: number): string => `0x${address.toString(16).padStart(8, '0')}`;

const kStates = Object.fromEntries(Object.entries(ChunkState).map(([name, state]) => [state, name]));

/** Tables without rows are left out. */
export const tablesOf = (source: TableSource): readonly Table[] =>
  [
    chunksInView(source.frame),
    bins(source.frame),
    pools(source.frame),
    heaps(source.frame),
    timeLine(source.timeline),
    sizes(source),
    sites(source),
    compared(source),
  ].filter((table) => table.rows.length > 0);

export const tableText = ({ columns, rows }: Table): string => csvText(columns, rows);

function chunksInView({ map }: Frame): Table {
  const columns = ['address', 'bytes', 'state', 'heap'];
  const chunks = map?.chunks;
  const rows = Array.from(chunks?.address ?? [], (address, index) => [
    hex(address),
    chunks?.size[index],
    kStates[chunks?.state[index] ?? 0],
    chunks?.heap[index],
  ]);
  return { name: 'Chunks in view', columns, rows };
}

const bins = (frame: Frame): Table => ({
  name: 'Bins',
  columns: ['bin', 'from_bytes', 'to_bytes', 'free_chunks', 'bytes'],
  rows: frame.bins.map(({ bin, low, high, count, bytes }) => [bin, low, high, count, bytes]),
});

const pools = (frame: Frame): Table => ({
  name: 'Pools',
  columns: ['pool', 'heap', 'shape', 'node_bytes', 'blocks', 'nodes_in_use', 'nodes_free'],
  rows: frame.pools.map((row) => [
    row.pool,
    row.heap,
    row.shape,
    row.nodeSize,
    row.blocks,
    row.nodesInUse,
    row.nodesFree,
  ]),
});

const heaps = (frame: Frame): Table => ({
  name: 'Heaps',
  columns: ['heap', 'base', 'footprint', 'in_use', 'cached', 'segments', 'chunks_in_use', 'pools'],
  rows: frame.heaps.map((row) => [
    row.id,
    hex(row.base),
    row.footprint,
    row.inUse,
    row.cached,
    row.segments,
    row.chunksInUse,
    row.pools,
  ]),
});

function timeLine(frame: TimelineFrame | undefined): Table {
  const columns = ['event', 'in_use_least', 'in_use_most', 'occupied_most', 'footprint'];
  if (frame === undefined) return { name: 'Time line', columns, rows: [] };
  const { from, to, inUseMin, inUseMax, occupiedMax, footprint } = frame;
  const rows = Array.from(inUseMax, (most, column) => [
    Math.round(from + ((to - from) * column) / frame.columns),
    inUseMin[column],
    most,
    occupiedMax[column],
    footprint[column],
  ]);
  return { name: 'Time line', columns, rows };
}

function sizes({ sizes: shown }: TableSource): Table {
  const kinds = [
    ['in use, by size', shown?.inUse],
    ['cached, by size', shown?.cached],
    ['free, by size', shown?.free],
    ['in use, by age', shown?.ages],
  ] as const;
  return {
    name: 'Sizes and ages',
    columns: ['what', 'from', 'to', 'chunks', 'bytes', 'largest', 'largest_at'],
    rows: kinds.flatMap(([what, rows]) =>
      (rows ?? []).map((row) => [
        what,
        2 ** row.power,
        2 ** (row.power + 1) - 1,
        row.count,
        row.bytes,
        row.largest,
        hex(row.largestAt),
      ]),
    ),
  };
}

const sites = ({ sites: shown }: TableSource): Table => ({
  name: 'Call sites',
  columns: ['site', 'parent', 'frame', 'bytes', 'blocks', 'own_bytes', 'own_blocks'],
  rows: (shown?.nodes ?? []).map((node) => [
    node.site,
    node.parent,
    node.frame,
    node.bytes,
    node.count,
    node.ownBytes,
    node.ownCount,
  ]),
});

const compared = ({ compare }: TableSource): Table => ({
  name: 'Two moments',
  columns: ['what', 'address', 'bytes', 'born'],
  rows:
    compare === undefined
      ? []
      : (['gone', 'both', 'added'] as const).flatMap((part) =>
          compare[part].largest.map(({ address, size, born }) => [part, hex(address), size, born]),
        ),
});
