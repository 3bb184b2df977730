// What the colours and patterns of the map and of the time line mean. The swatches are CSS with the palette's colours.

import './legend.css';
import { make } from '../views/dom.ts';

const kMeanings: readonly (readonly [string, string])[] = [
  ['in-use', 'in use'], // younger to older
  ['header', 'header'],
  ['cached', 'cached'],
  ['free', 'free'],
  ['node', 'node in use'],
  ['pool', 'pool block'],
  ['top', 'top'],
  ['footprint', 'footprint'],
  ['verified', 'verified'],
];

export function createLegend(parent: Element): void {
  parent.append(
    make(
      'ul',
      { class: 'hg-legend', 'aria-label': 'Legend' },
      ...kMeanings.map(([kind, text]) =>
        make('li', {}, make('i', { class: `hg-legend__swatch hg-legend__swatch--${kind}` }), text),
      ),
    ),
  );
}
