// Names on the map: a flag with a letter or a word at the address that it names, so that a text can speak of block A.
//
//    ┌───┐
//    │ A ├──────────┐      The flag stands on the row's upper edge: the chunk's label below it stays readable, also when the
//    └───┘ 304 B    │      named block has joined another one.
//      └────────────┘

import type { Theme } from '../dom/palette.ts';
import { pointOf } from './map_geometry.ts';
import type { MapLetter } from './map_overlay.ts';
import type { MapView } from './map_view.ts';

const kHeight = 15;
const kAbove = 10; // of the row's upper edge
const kAboveLow = 13; // where rows are lower, so that the label stays readable there too
const kPadding = 5;

export function drawLetters(
  context: CanvasRenderingContext2D,
  letters: readonly MapLetter[],
  view: MapView,
  theme: Theme,
): void {
  const { layout, transform } = view;
  context.font = `bold 12px ${theme.font}`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  for (const { name, at } of letters) {
    const { x, y } = pointOf(layout, transform, at);
    if (y < -layout.pitch || y > layout.height) continue;
    const width = context.measureText(name).width + 2 * kPadding;
    const left = Math.round(Math.min(x, layout.left + layout.textWidth - width));
    const above = layout.rowHeight < 24 ? kAboveLow : kAbove;
    const top = Math.max(0, Math.round(y) - above);
    context.fillStyle = theme.css.bg; // keeps the flag apart from what it lies on
    context.fillRect(left - 1, top - 1, width + 2, kHeight + 2);
    context.fillStyle = theme.css.accent;
    context.fillRect(left, top, width, kHeight);
    context.fillStyle = theme.css.onAccent;
    context.fillText(name, left + kPadding, top + kHeight / 2 + 0.5);
  }
}
