// What the colours and patterns of the map and of the time line mean. The swatches are CSS with the palette's colours.
//
//   legend.1  What the trace has at no moment is not listed. It stands at the end, so that the others stay where they are.

import './legend.css';
import { make } from '../dom/dom.ts';
import type { StatusFrame } from '../protocol/frames.ts';

/** What it looks like, its name, what it means, and what a trace must have for it. */
const kMeanings: readonly (readonly [string, string, string, ('malloc' | 'pools')?])[] = [
  ['in-use', 'in use', 'A block that the program has; the younger, the stronger its colour'],
  ['header', 'header', 'The first word of a chunk: its size and its flags'],
  ['free', 'free', 'A free chunk, in a bin'],
  ['returnable', 'could go back', 'Whole free pages of 64 KiB'], // hollow
  ['top', 'top', 'The free chunk at the end of the newest segment'],
  ['footprint', 'footprint', 'The bytes that the heap has from linear memory'],
  ['verified', 'verified', 'Here a walk of the real heap and the model were equal'],
  [
    'cached',
    'cached',
    'Freed by the program and kept by malloc for its next request: chunks on cache lists, free blocks of slabs; also what slabs have for themselves',
    'malloc',
  ],
  ['node', 'node in use', 'A node of a pool that the program has', 'pools'],
  ['pool', 'pool block', 'What a pool has taken from its heap at once', 'pools'],
];

/** Where there is little room the legend is folded; its button is there only then. */
export function createLegend(parent: Element) {
  const rows = kMeanings.map(([kind, text, title, needs]) => {
    const swatch = make('i', { class: `hg-legend__swatch hg-legend__swatch--${kind}` });
    return { needs, row: make('li', { title, hidden: needs !== undefined }, swatch, text) };
  });
  const list = make('ul', { class: 'hg-legend', 'aria-label': 'Legend' }, ...rows.map(({ row }) => row));
  const toggle = make(
    'button',
    { type: 'button', class: 'hg-link hg-legend-toggle', 'aria-expanded': 'false' },
    'Legend',
  );
  toggle.addEventListener('click', () => {
    toggle.setAttribute('aria-expanded', String(toggle.getAttribute('aria-expanded') === 'false'));
  });
  parent.append(toggle, list);

  return {
    update(status: Pick<StatusFrame, 'malloc' | 'pools'> | undefined): void {
      if (status === undefined) return;
      for (const { needs, row } of rows) if (needs !== undefined) row.hidden = !status[needs];
    },
  };
}
