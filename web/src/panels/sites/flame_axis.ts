// The axis over a flame graph: how many bytes so much of its width is. For eyes: the line above it says the whole width in words.

import { formatBytes } from '../../base/format.ts';
import { keyedRows, make } from '../../dom/dom.ts';

const kMostTicks = 5;

/** Multiples of a power of two, as many as find room, within the width. */
export function ticksOf(width: number): readonly number[] {
  if (width <= 0) return [];
  const step = 2 ** Math.max(0, Math.ceil(Math.log2(width / kMostTicks)));
  return Array.from({ length: Math.floor(width / step) }, (_, nth) => (nth + 1) * step);
}

export function createFlameAxis() {
  const element = make('div', { class: 'hg-sites__axis', 'aria-hidden': 'true' });
  const show = keyedRows<{ readonly bytes: number; readonly at: number }, HTMLSpanElement>(
    element,
    ({ bytes }) => bytes,
    ({ bytes }) => make('span', {}, formatBytes(bytes)),
    (tick, { at }) => {
      tick.style.left = `${at * 100}%`;
    },
  );
  return {
    element,
    /** What the whole width is; 0: there is nothing to measure. */
    update(width: number): void {
      element.hidden = width === 0;
      show(ticksOf(width).map((bytes) => ({ bytes, at: bytes / width })));
    },
  };
}
