// Names on the map: a flag with a letter or a word at the address that it names, so that a text can speak of block A.
//
//    ┌───┐
//    │ A ├──────────┐      The flag stands on the row's upper edge: the chunk's label below it and that of the row above stay
//    └───┘ 304 B    │      readable, also when the named block has joined another one.
//      └────────────┘
//
//   Flags of one row do not cover each other: where "node 1" has no room before "node 2", all nodes are called by their numbers.

import type { Theme } from '../dom/palette.ts';
import { pointOf } from './map_geometry.ts';
import type { MapLetter } from './map_overlay.ts';
import type { MapView } from './map_view.ts';

const kAbove = 10; // of the row's upper edge
const kFlag = { height: 15, font: 12 };
/** Where rows are lower: between the labels of two rows there is no more room. */
const kLowFlag = { height: 12, font: 11 };
const kPadding = 5;

export function drawLetters(
  context: CanvasRenderingContext2D,
  letters: readonly MapLetter[],
  view: MapView,
  theme: Theme,
): void {
  const { layout } = view;
  const { height, font } = layout.rowHeight < 24 ? kLowFlag : kFlag;
  context.font = `bold ${font}px ${theme.font}`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  const flags = letters.map(({ name, at }) => flagOf(context, view, name, at));
  const crowded = new Set(flags.filter((flag) => isCovered(flag, flags)).map(({ name }) => wordOf(name)));
  for (const [nth, { name, at }] of letters.entries()) {
    const word = wordOf(name);
    const short = word !== '' && crowded.has(word) ? name.slice(word.length) : name;
    const flag = short === name ? flags[nth] : flagOf(context, view, short, at);
    if (flag === undefined || flag.y < -layout.pitch || flag.y > layout.height) continue;
    const { left, width, y } = flag;
    const top = Math.max(0, Math.round(y) - kAbove);
    context.fillStyle = theme.css.bg; // keeps the flag apart from what it lies on
    context.fillRect(left - 1, top - 1, width + 2, height + 2);
    context.fillStyle = theme.css.accent;
    context.fillRect(left, top, width, height);
    context.fillStyle = theme.css.onAccent;
    context.fillText(short, left + kPadding, top + height / 2 + 0.5);
  }
}

interface Flag {
  readonly name: string;
  readonly left: number;
  readonly width: number;
  readonly y: number;
}

function flagOf(context: CanvasRenderingContext2D, { layout, transform }: MapView, name: string, at: number): Flag {
  const { x, y } = pointOf(layout, transform, at);
  const width = context.measureText(name).width + 2 * kPadding;
  return { name, left: Math.round(Math.min(x, layout.left + layout.textWidth - width)), width, y };
}

const isCovered = ({ left, width, y }: Flag, flags: readonly Flag[]): boolean =>
  flags.some((other) => other.y === y && other.left > left && other.left < left + width);

/** "node " of "node 12"; '' where no number ends the name. */
const wordOf = (name: string): string => /^.*\s(?=\d+$)/.exec(name)?.[0] ?? '';
