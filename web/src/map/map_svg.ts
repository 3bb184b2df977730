// The map as SVG: shapes instead of pixels for the rows, and the same labels, lines and links as on the screen.
//
//   rows      shapes of one colour are one path: a map of 20,000 chunks stays a file that editors open
//   the rest  by the map's own draw functions, on a context that writes SVG (svg_context.ts)
//
//   map-svg.1  From far, where the map shows shares, neighbours of one colour are one shape.

import type { Theme } from '../dom/palette.ts';
import { ChunkState, type MapFrame, NodeState } from '../protocol/map_frames.ts';
import { bandsOf } from '../protocol/viewport.ts';
import { cellPixel } from './draw_cells.ts';
import { drawGround, drawMarks } from './draw_map.ts';
import { drawOverlay } from './draw_overlay.ts';
import { groupColours } from './group_colours.ts';
import { eachRowPart, rowsOf } from './map_geometry.ts';
import type { MapOverlay } from './map_overlay.ts';
import type { MapView } from './map_view.ts';
import type { BlockNames } from './pool_names.ts';
import { cssOf, escapeXml, svgContext } from './svg_context.ts';

/** Nodes keep this distance from their block's outline, CSS pixels. */
const kNodeInset = 4;
/** Chunks narrower than this have no hairline at their begin. */
const kHairlineFrom = 3;

export interface MapPicture {
  readonly frame: MapFrame;
  readonly view: MapView;
  readonly theme: Theme;
  readonly names: BlockNames;
  readonly overlay: MapOverlay;
}

/** `title` is what a reader is told who cannot see it; `measure` is for the widths of texts. */
export function mapSvg(picture: MapPicture, title: string, measure: CanvasRenderingContext2D): string {
  const { frame, view, theme, names, overlay } = picture;
  const { width, height } = view.layout;
  const ground = svgContext(measure);
  drawGround(ground.context, view, theme);
  const marks = svgContext(measure);
  drawMarks(marks.context, frame, view, theme, names);
  drawOverlay(marks.context, overlay, view, theme);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    patterns(theme),
    ground.text(),
    shapes(picture),
    marks.text(),
    '</svg>',
  ].join('\n');
}

const patterns = (theme: Theme): string =>
  '<defs>' +
  `<pattern id="hg-free" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7" fill="${theme.css.free}"/><rect width="1.4" height="7" fill="${theme.css.hatch}"/></pattern>` +
  `<pattern id="hg-cached" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect width="5" height="5" fill="${theme.css.cached}"/><rect width="1.8" height="5" fill="${theme.css.cachedStripe}"/></pattern>` +
  '</defs>';

/** Shapes by what fills them, in the order in which a fill first came. */
class Shapes {
  readonly #paths = new Map<string, string[]>();

  add(fill: string, x: number, y: number, width: number, height: number): void {
    const path = this.#paths.get(fill) ?? [];
    this.#paths.set(fill, path);
    path.push(`M${x.toFixed(1)} ${y.toFixed(1)}h${width.toFixed(2)}v${height}h-${width.toFixed(2)}z`);
  }

  text(): string {
    return [...this.#paths].map(([fill, path]) => `<path fill="${fill}" d="${path.join('')}"/>`).join('\n');
  }
}

function shapes({ frame, view, theme }: MapPicture): string {
  const { layout, transform } = view;
  const rows = rowsOf(layout, transform);
  const [ground, filled, inner, lines] = [new Shapes(), new Shapes(), new Shapes(), new Shapes()];
  const put = (shapes: Shapes, fill: string, from: number, to: number, inset = 0): void =>
    eachRowPart(layout, transform, from, to, (x, y, width, row) => {
      if (rows.foldAt(row) === undefined) shapes.add(fill, x, y + inset, width, layout.rowHeight - 2 * inset);
    });
  for (const { base, size } of frame.segments) put(ground, theme.css.raised, base, base + size);
  if (frame.cells !== undefined) cells(frame, theme, (fill, from, to) => put(filled, fill, from, to));
  const { chunks, blocks, nodes } = frame;
  const colours = frame.groups === undefined ? undefined : groupColours(theme, frame.groups.by).colours;
  const scale = layout.textWidth / transform.bytesPerRow;
  for (let index = 0; index < (chunks?.count ?? 0); index++) {
    const address = chunks?.address[index] ?? 0;
    const size = chunks?.size[index] ?? 0;
    const group = frame.groups?.group[index];
    put(
      filled,
      fillOf(chunks?.state[index], chunks?.age[index] ?? 0, colours?.[group ?? 0], theme),
      address,
      address + size,
    );
    if (size * scale >= kHairlineFrom) put(lines, theme.css.header, address, address + 1 / scale);
  }
  for (let index = 0; index < nodes.count; index++) {
    const address = nodes.address[index] ?? 0;
    put(inner, nodeFill(nodes.state[index], theme), address, address + (nodes.size[index] ?? 0) * 0.9, kNodeInset);
  }
  for (let index = 0; index < blocks.count; index++) {
    const address = blocks.address[index] ?? 0;
    const end = address + (blocks.size[index] ?? 0);
    const full = 1 - (blocks.freeNodes[index] ?? 0) / Math.max(blocks.nodes[index] ?? 1, 1);
    if (nodes.count === 0) put(inner, theme.css.node, address, address + (end - address) * full, kNodeInset);
    for (const at of [address, end - 1 / scale]) put(lines, theme.css.pool, at, at + 1 / scale);
  }
  return [ground, filled, inner, lines].map((shapes) => shapes.text()).join('\n');
}

function fillOf(state: number | undefined, age: number, grouped: string | undefined, theme: Theme): string {
  if (state === ChunkState.inUse) return grouped ?? theme.ageColours[age >> 3] ?? theme.css.inUse;
  if (state === ChunkState.poolBlock) return theme.css.poolGround;
  if (state === ChunkState.cached) return 'url(#hg-cached)';
  return state === ChunkState.top ? theme.css.segment : 'url(#hg-free)';
}

const nodeFill = (state: number | undefined, theme: Theme): string =>
  state === NodeState.lastTouched
    ? theme.css.nodeTouched
    : state === NodeState.inUse
      ? theme.css.node
      : theme.css.nodeFree;

/** map-svg.1 */
function cells(frame: MapFrame, theme: Theme, put: (fill: string, from: number, to: number) => void): void {
  const { cells: marks, viewport } = frame;
  if (marks === undefined) return;
  const cellBytes = viewport.bytesPerRow / marks.cellsPerRow;
  for (const { origin, firstRow, rows } of bandsOf(viewport)) {
    const first = firstRow * marks.cellsPerRow;
    const count = rows * marks.cellsPerRow;
    let begin = 0;
    let colour: number | undefined;
    for (let cell = 0; cell <= count; cell++) {
      const next = cell === count ? undefined : cellPixel(marks, first + cell, theme);
      if (cell > 0 && next === colour && cell % marks.cellsPerRow !== 0) continue;
      if (colour !== undefined) put(cssOf(colour), origin + begin * cellBytes, origin + cell * cellBytes);
      begin = cell;
      colour = next;
    }
  }
}
