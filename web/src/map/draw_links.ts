// The free list of a bin as amber arrows over the map: an outline around each chunk, a dot in its middle, a curve to the
// next. The list's first chunk has a ring around its dot; each curve ends in an arrow.
//
// Of a list that is longer than kMostStrong only the links nearest to the selected or pointed-at chunk are at full strength, else the
// first ones, which serve the next requests; the rest are faint.
//
// A chunk that is not in view lies above or below the canvas: its curve is cut at the edge. Of a long list only links
// with an end in view are drawn, and at most kMostLinks.

import type { Theme } from '../dom/palette.ts';
import type { BinChain } from '../panels/lists/part.ts';
import { eachRowPart, type MapLayout, pointOf } from './map_geometry.ts';
import type { MapView } from './map_view.ts';

const kMostLinks = 160;
const kMostStrong = 8;
const kFaint = 0.22;
/** How far beyond the canvas a point may lie; farther ones are pulled in so that curves keep their shape. */
const kBeyond = 60;

interface Anchor {
  readonly x: number;
  readonly y: number;
  readonly visible: boolean;
}

/** `near`: an address in the chunk whose links are looked at; undefined: none is. */
export function drawLinks(
  context: CanvasRenderingContext2D,
  chain: BinChain,
  near: number | undefined,
  view: MapView,
  theme: Theme,
): void {
  const { layout, transform } = view;
  context.save();
  context.beginPath();
  context.rect(layout.left - 6, 0, layout.textWidth + 12, layout.height);
  context.clip();
  context.strokeStyle = theme.css.accent;
  context.fillStyle = theme.css.accent;
  let before: Anchor | undefined;
  let drawn = 0;
  const strong = strongLinks(chain, near);
  for (let index = 0; index < chain.address.length && drawn < kMostLinks; index++) {
    const address = chain.address[index] ?? 0;
    const size = chain.size[index] ?? 0;
    const here = anchorOf(view, address, size);
    context.globalAlpha = strong(index) ? 1 : kFaint;
    if (here.visible) {
      context.lineWidth = 1.25;
      eachRowPart(layout, transform, address, address + size, (x, y, width) =>
        context.strokeRect(
          Math.round(x) + 0.5,
          Math.round(y) - 0.5,
          Math.max(Math.round(width) - 1, 2),
          layout.rowHeight + 1,
        ),
      );
    }
    if (before !== undefined && (before.visible || here.visible)) {
      drawLink(context, before, here, layout);
      drawn++;
    }
    if (here.visible) drawDot(context, here, index === 0);
    before = here;
  }
  context.restore();
}

/** Which chunks of the list, by their place in it, are drawn at full strength, each with the link that leads to it. */
export function strongLinks({ address, size }: BinChain, near: number | undefined): (index: number) => boolean {
  const at =
    near === undefined ? -1 : address.findIndex((begin, index) => near >= begin && near < begin + (size[index] ?? 0));
  const first = Math.max(0, at - kMostStrong / 2);
  return (index) => address.length <= kMostStrong || (index >= first && index < first + kMostStrong);
}

/** The middle of the chunk's widest part in view; outside of the canvas when none is. */
function anchorOf(view: MapView, address: number, size: number): Anchor {
  const { layout, transform } = view;
  let best = 0;
  let found: Anchor | undefined;
  eachRowPart(layout, transform, address, address + size, (x, y, width) => {
    const middle = y + layout.rowHeight / 2;
    if (width <= best || middle < 0 || middle > layout.height) return;
    best = width;
    found = { x: x + width / 2, y: middle, visible: true };
  });
  if (found !== undefined) return found;
  const point = pointOf(layout, transform, address + size / 2);
  const y = Math.min(Math.max(point.y + layout.rowHeight / 2, -kBeyond), layout.height + kBeyond);
  return { x: point.x, y, visible: false };
}

function drawDot(context: CanvasRenderingContext2D, { x, y }: Anchor, first: boolean): void {
  context.beginPath();
  context.arc(x, y, 3, 0, 2 * Math.PI);
  context.fill();
  if (!first) return;
  context.lineWidth = 1.25;
  context.beginPath();
  context.arc(x, y, 6, 0, 2 * Math.PI);
  context.stroke();
}

/** A curve that leaves and arrives vertically; within a row it arches through the gap above. */
function drawLink(context: CanvasRenderingContext2D, from: Anchor, to: Anchor, layout: MapLayout): void {
  const down = to.y - from.y;
  const along = to.x - from.x;
  const sameRow = Math.abs(down) < layout.pitch / 2;
  const bend = sameRow ? -Math.min(layout.pitch * 0.9, 10 + Math.abs(along) / 4) : down * 0.5;
  const c1 = { x: from.x + along * (sameRow ? 0.2 : 0.05), y: from.y + bend };
  const c2 = { x: to.x - along * (sameRow ? 0.2 : 0.05), y: sameRow ? to.y + bend : to.y - bend };
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.bezierCurveTo(c1.x, c1.y, c2.x, c2.y, to.x, to.y);
  context.stroke();
  if (to.visible) drawArrow(context, c2, to);
}

function drawArrow(context: CanvasRenderingContext2D, from: { x: number; y: number }, to: Anchor): void {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const reach = 9; // the tip stops short of the dot
  const tip = { x: to.x - Math.cos(angle) * 4, y: to.y - Math.sin(angle) * 4 };
  context.beginPath();
  context.moveTo(tip.x, tip.y);
  for (const side of [-0.42, 0.42]) {
    context.lineTo(tip.x - Math.cos(angle + side) * reach, tip.y - Math.sin(angle + side) * reach);
  }
  context.closePath();
  context.fill();
}
