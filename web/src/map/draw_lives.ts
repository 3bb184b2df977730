// Lives as rectangles: across from birth to end, down as far as the block reaches. Where they are too many the density of what
// is in use, column by column.

import { scaleLinear } from 'd3-scale';
import { formatAddress, formatCount } from '../base/format.ts';
import type { Theme } from '../dom/palette.ts';
import type { LivesFrame } from '../protocol/whole_trace.ts';
import { mixPixels } from './row_raster.ts';
import { cssOf } from './svg_context.ts';

export interface LivesLayout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly right: number; // of the plot
  readonly bottom: number;
}

export const livesLayout = (width: number, height: number): LivesLayout => ({
  width,
  height,
  left: 92,
  top: 14,
  right: width - 14,
  bottom: height - 28,
});

/** What is marked over the plot. */
export interface LivesMarks {
  readonly cursor: number; // event
  readonly selected: number | undefined; // an address in a block
}

export const xOfEvent = ({ left, right }: LivesLayout, { window }: LivesFrame, event: number): number =>
  left + ((event - window.from) / Math.max(window.to - window.from, 1)) * (right - left);

export const yOfAddress = ({ top, bottom }: LivesLayout, { window }: LivesFrame, address: number): number =>
  top + ((address - window.low) / Math.max(window.high - window.low, 1)) * (bottom - top);

const kGap = 0.75; // between two blocks that touch, where there is room

export function drawLives(
  context: CanvasRenderingContext2D,
  frame: LivesFrame,
  layout: LivesLayout,
  marks: LivesMarks,
  theme: Theme,
): void {
  const { left, top, right, bottom, width, height } = layout;
  context.fillStyle = theme.css.bg;
  context.fillRect(0, 0, width, height);
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, bottom - top);
  context.clip();
  context.fillStyle = theme.css.panel;
  context.fillRect(left, top, right - left, bottom - top);
  if (frame.shares !== undefined) drawShares(context, frame, layout, theme);
  else drawRectangles(context, frame, layout, marks.selected, theme);
  const x = Math.round(xOfEvent(layout, frame, marks.cursor)) + 0.5;
  context.fillStyle = theme.css.accent;
  context.fillRect(x - 0.5, top, 1, bottom - top);
  context.restore();
  drawAddresses(context, frame, layout, theme);
  drawEvents(context, frame, layout, theme);
}

function drawRectangles(
  context: CanvasRenderingContext2D,
  frame: LivesFrame,
  layout: LivesLayout,
  selected: number | undefined,
  theme: Theme,
): void {
  const { lives, window } = frame;
  if (lives === undefined) return;
  const outlined: number[][] = [];
  for (let nth = 0; nth < lives.count; nth++) {
    const address = lives.address[nth] ?? 0;
    const end = address + (lives.size[nth] ?? 0);
    const ended = lives.ended[nth] ?? 0;
    const x = Math.max(xOfEvent(layout, frame, lives.begun[nth] ?? 0), layout.left);
    const until = ended === 0 ? layout.right : xOfEvent(layout, frame, ended);
    const y = yOfAddress(layout, frame, address);
    const high = yOfAddress(layout, frame, end) - y;
    // What is freed inside the window is paler: the eye finds what stays.
    if ((lives.pool[nth] ?? 0) === 1) context.fillStyle = ended === 0 ? theme.css.node : theme.css.nodeFree;
    else context.fillStyle = ended === 0 ? theme.css.inUse : theme.css.inUseOld;
    const box = [x, y, Math.max(until - x - kGap, 0.6), high > 2 ? high - kGap : Math.max(high, 0.35)] as const;
    context.fillRect(...box);
    if (selected !== undefined && selected >= address && selected < end && window.from <= window.to)
      outlined.push([...box]);
  }
  context.strokeStyle = theme.css.accent;
  context.lineWidth = 2;
  for (const [x = 0, y = 0, wide = 0, high = 0] of outlined)
    context.strokeRect(x, y, Math.max(wide, 3), Math.max(high, 3));
}

function drawShares(context: CanvasRenderingContext2D, frame: LivesFrame, layout: LivesLayout, theme: Theme): void {
  const { shares, window } = frame;
  if (shares === undefined) return;
  const wide = (layout.right - layout.left) / window.columns;
  const high = (shares.cellBytes / Math.max(window.high - window.low, 1)) * (layout.bottom - layout.top);
  for (let column = 0; column < window.columns; column++) {
    for (let row = 0; row < shares.rows; row++) {
      const inUse = shares.inUse[column * shares.rows + row] ?? 0;
      const pool = shares.pool[column * shares.rows + row] ?? 0;
      if (inUse + pool === 0) continue;
      const colour = pool > inUse ? theme.pixel.node : theme.pixel.inUse;
      context.fillStyle = cssOf(mixPixels(theme.pixel.panel, colour, Math.min((inUse + pool) / 255, 1)));
      const x = Math.floor(layout.left + column * wide);
      const y = Math.floor(layout.top + row * high);
      context.fillRect(x, y, Math.ceil(wide), Math.ceil(high));
    }
  }
}

function drawEvents(context: CanvasRenderingContext2D, frame: LivesFrame, layout: LivesLayout, theme: Theme): void {
  const { from, to } = frame.window;
  const most = Math.max(2, Math.floor((layout.right - layout.left) / 150));
  context.textAlign = 'center';
  context.fillStyle = theme.css.dim;
  for (const event of scaleLinear([from, to], [0, 1]).ticks(most)) {
    if (!Number.isInteger(event)) continue;
    const text = formatCount(event);
    const half = context.measureText(text).width / 2;
    context.fillText(text, Math.min(xOfEvent(layout, frame, event), layout.right - half), layout.bottom + 14);
  }
  context.textAlign = 'left';
}

/** Addresses at the left, as many as there is room for, at round places. */
function drawAddresses(context: CanvasRenderingContext2D, frame: LivesFrame, layout: LivesLayout, theme: Theme): void {
  const { low, high } = frame.window;
  const wanted = Math.max((high - low) / Math.max((layout.bottom - layout.top) / 34, 1), 16);
  const step = 2 ** Math.ceil(Math.log2(wanted));
  context.font = `11.5px ${theme.mono}`;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  context.fillStyle = theme.css.dim;
  for (let address = Math.ceil(low / step) * step; address <= high; address += step)
    context.fillText(formatAddress(address), layout.left - 8, yOfAddress(layout, frame, address));
  context.textAlign = 'left';
}
