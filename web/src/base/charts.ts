// What charts of the glass, of reports and of the site have in common beside the tokens (tokens.css, TK4): ticks, labels, stripes.

import { formatCount } from './format.ts';

/** Width of a letter of a label, on average, in pixels. */
const kLetter = 6.2;

/** Stripes as cached chunks have them in the map: a pattern's attributes, its ground's and its stripe's. */
export const kStripe = {
  pattern: { width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(-45)' },
  ground: { width: 5, height: 5 },
  stripe: { width: 5, height: 1.8 },
} as const;

const kFewestLetters = 4;

/** A label cut to the room there is before the next mark, behind a whole word; nothing when too little of it would be left. */
export function cut(label: string, space: number): string {
  const letters = Math.floor(space / kLetter);
  if (letters >= label.length) return label;
  const end = label.includes(' ') ? label.lastIndexOf(' ', letters - 1) : letters - 1;
  return end < kFewestLetters ? '' : `${label.slice(0, end).replace(/[,;:.]$/, '')}…`;
}

const kFrameHues = 6; // tokens.css, TK5

/** Which of the six colours a function's frames have in every flame graph. */
export function frameHue(name: string): number {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % kFrameHues;
}

/** 0, 200k, 1M */
export function shortCount(value: number): string {
  if (!Number.isInteger(value)) return '';
  if (value >= 1e6) return `${value / 1e6}M`;
  return value >= 10_000 ? `${value / 1000}k` : formatCount(value);
}

/** Ticks at powers of two and their multiples, at most `count` or so of them. */
export function byteTicks(most: number, count: number): number[] {
  if (most <= 1) return [];
  let step = 2 ** Math.floor(Math.log2(Math.max(1, most / Math.max(1, count))));
  while (most / step > Math.max(1, count)) step *= 2;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}
