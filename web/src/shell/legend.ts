// What the colours and patterns of the map and of the time line mean. The swatches are CSS with the palette's colours.

import './legend.css';
import { make } from '../dom/dom.ts';

const kMeanings: readonly (readonly [string, string])[] = [
  ['in-use', 'in use'], // younger to older
  ['header', 'header'],
  ['cached', 'cached'],
  ['free', 'free'],
  ['returnable', 'could go back'], // hollow: whole free pages of 64 KiB
  ['node', 'node in use'],
  ['pool', 'pool block'],
  ['top', 'top'],
  ['footprint', 'footprint'],
  ['verified', 'verified'],
];

/** Where there is little room the legend is folded; its button is there only then. */
export function createLegend(parent: Element): void {
  const list = make(
    'ul',
    { class: 'hg-legend', 'aria-label': 'Legend' },
    ...kMeanings.map(([kind, text]) =>
      make('li', {}, make('i', { class: `hg-legend__swatch hg-legend__swatch--${kind}` }), text),
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
