// The stretch of time that is being chosen: a band over the curves, while a hand holds Shift and draws it.

import { makeSvg } from '../../dom/dom.ts';
import type { TimelineScale } from './timeline_picture.ts';
import type { TimelineRange } from './timeline_range.ts';

export function createStretch() {
  const element = makeSvg('rect', { class: 'hg-timeline__stretch', width: 0 });
  return {
    element,
    /** undefined: none is being chosen. */
    draw(chosen: TimelineRange, { x, base, margin }: TimelineScale): void {
      const [from, to] = chosen === undefined ? [0, 0] : [x(chosen.from), x(chosen.to)];
      element.setAttribute('x', String(from));
      element.setAttribute('width', String(to - from));
      element.setAttribute('y', String(margin.top));
      element.setAttribute('height', String(Math.max(0, base - margin.top)));
    },
  };
}
