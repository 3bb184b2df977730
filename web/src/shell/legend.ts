// What the colours and patterns of the map and of the time line mean. The swatches are CSS with the palette's colours.

import './legend.css';
import { make } from '../dom/dom.ts';

/** What it looks like, its name, and what it means. */
const kMeanings: readonly (readonly [string, string, string])[] = [
  ['in-use', 'in use', 'A block that the program has; the younger, the stronger its colour'],
  ['header', 'header', 'The first word of a chunk: its size and its flags'],
  [
    'cached',
    'cached',
    'Freed by the program and kept by malloc for its next request: chunks on cache lists, free blocks of slabs; also what slabs have for themselves',
  ],
  ['free', 'free', 'A free chunk, in a bin'],
  ['returnable', 'could go back', 'Whole free pages of 64 KiB'], // hollow
  ['node', 'node in use', 'A node of a pool that the program has'],
  ['pool', 'pool block', 'What a pool has taken from its heap at once'],
  ['top', 'top', 'The free chunk at the end of the newest segment'],
  ['footprint', 'footprint', 'The bytes that the heap has from linear memory'],
  ['verified', 'verified', 'Here a walk of the real heap and the model were equal'],
];

/** Where there is little room the legend is folded; its button is there only then. */
export function createLegend(parent: Element): void {
  const list = make(
    'ul',
    { class: 'hg-legend', 'aria-label': 'Legend' },
    ...kMeanings.map(([kind, text, title]) =>
      make('li', { title }, make('i', { class: `hg-legend__swatch hg-legend__swatch--${kind}` }), text),
    ),
  );
  const toggle = make(
    'button',
    { type: 'button', class: 'hg-link hg-legend-toggle', 'aria-expanded': 'false' },
    'Legend',
  );
  toggle.addEventListener('click', () => {
    toggle.setAttribute('aria-expanded', String(toggle.getAttribute('aria-expanded') === 'false'));
  });
  parent.append(toggle, list);
}
