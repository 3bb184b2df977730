// What is shown, as tables: names and rows for CSV. Those of the panels come from them.

import { csvText, hexAddress } from '../base/csv.ts';
import type { Panel, Shown, Table } from '../panels/panel.ts';
import type { Frame, TimelineFrame } from '../protocol/frames.ts';
import { ChunkState } from '../protocol/map_frames.ts';

/** The last frames that a table can be made of. */
export type TableSource = Pick<Shown, 'frame' | 'parts' | 'state'> & { readonly timeline: TimelineFrame | undefined };

const kStates = Object.fromEntries(Object.entries(ChunkState).map(([name, state]) => [state, name]));

/** Tables without rows are left out. */
export const tablesOf = (source: TableSource, panels: readonly Panel[]): readonly Table[] =>
  [
    chunksInView(source.frame),
    timeLine(source.timeline),
    ...panels.flatMap(({ tables }) => tables?.(source) ?? []),
  ].filter((table) => table.rows.length > 0);

export const tableText = ({ columns, rows }: Table): string => csvText(columns, rows);

function chunksInView({ map }: Frame): Table {
  const columns = ['address', 'bytes', 'state', 'heap'];
  const chunks = map?.chunks;
  const rows = Array.from(chunks?.address ?? [], (address, index) => [
    hexAddress(address),
    chunks?.size[index],
    kStates[chunks?.state[index] ?? 0],
    chunks?.heap[index],
  ]);
  return { name: 'Chunks in view', columns, rows };
}

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
