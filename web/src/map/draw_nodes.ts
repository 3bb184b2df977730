// Pool blocks of one row: an outline all around, inside it nodes as cells and the headers of sub-blocks as hairlines.
// A block whose nodes are too narrow to see is as violet inside as it is full; pools of several node sizes lie side by
// side, so that is decided block by block.

import type { Theme } from '../dom/palette.ts';
import { type BlockMarks, type MapFrame, type NodeMarks, NodeState } from '../protocol/map_frames.ts';
import { anyWithin, firstEndingAfter } from './map_marks.ts';
import type { RowSpan } from './map_view.ts';
import { coverSpan, mixPixels, paintLine, type RowRaster } from './row_raster.ts';

export function drawBlocks(raster: RowRaster, row: RowSpan, frame: MapFrame, ratio: number, theme: Theme): void {
  const { blocks, nodes } = frame;
  for (let index = firstEndingAfter(blocks, row.start); index < blocks.count; index++) {
    const address = blocks.address[index] ?? 0;
    if (address >= row.end) break;
    const from = (address - row.start) * row.scale;
    const to = from + (blocks.size[index] ?? 0) * row.scale;
    coverSpan(raster, from, to, theme.pixel.poolGround);
    if (!anyWithin(nodes, address, address + (blocks.size[index] ?? 0)))
      paintLine(raster.inner, from, to, fullness(blocks, index, theme));
  }
  if (nodes.count > 0) drawNodes(raster, row, nodes, ratio, theme);
  outline(raster, row, blocks, ratio, theme);
}

function fullness(blocks: BlockMarks, index: number, theme: Theme): number {
  const nodes = blocks.nodes[index] ?? 0;
  const inUse = nodes - (blocks.freeNodes[index] ?? 0);
  return mixPixels(theme.pixel.poolGround, theme.pixel.node, nodes === 0 ? 1 : inUse / nodes);
}

function drawNodes(raster: RowRaster, row: RowSpan, nodes: NodeMarks, ratio: number, theme: Theme): void {
  const hairline = Math.max(Math.round(ratio), 1);
  const colour = mixPixels(theme.pixel.pool, theme.pixel.header, 0.7);
  for (let index = firstEndingAfter(nodes, row.start); index < nodes.count; index++) {
    const address = nodes.address[index] ?? 0;
    if (address >= row.end) break;
    const from = (address - row.start) * row.scale;
    const width = (nodes.size[index] ?? 0) * row.scale;
    const gap = width >= 3 * ratio ? hairline : width >= 2 ? 0.5 : 0;
    paintLine(raster.inner, from, from + width - gap, colourOf(nodes.state[index], theme));
  }
  for (const address of nodes.subBlocks) {
    if (address < row.start || address >= row.end) continue;
    const from = Math.round((address - row.start) * row.scale);
    coverSpan(raster, from, from + hairline, colour);
    paintLine(raster.inner, from, from + hairline, colour);
  }
}

function colourOf(state: number | undefined, theme: Theme): number {
  if (state === NodeState.lastTouched) return theme.pixel.nodeTouched;
  return state === NodeState.inUse ? theme.pixel.node : theme.pixel.nodeFree;
}

function outline(raster: RowRaster, row: RowSpan, blocks: BlockMarks, ratio: number, theme: Theme): void {
  const line = Math.max(Math.round(ratio), 1);
  for (let index = firstEndingAfter(blocks, row.start); index < blocks.count; index++) {
    const address = blocks.address[index] ?? 0;
    if (address >= row.end) break;
    const from = (address - row.start) * row.scale;
    const to = from + (blocks.size[index] ?? 0) * row.scale;
    paintLine(raster.edge, from, to, theme.pixel.pool);
    if (to - from < 4 * line) continue;
    for (const x of [Math.round(from), Math.round(to) - line]) {
      if (x < 0) continue; // begins in an earlier row
      coverSpan(raster, x, x + line, theme.pixel.pool);
      paintLine(raster.inner, x, x + line, theme.pixel.pool);
    }
  }
}
