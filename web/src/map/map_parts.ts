// The map's elements. What they do is told by heap_map.ts.
//
//    .hg-map
//      .hg-map__surface   takes the keyboard and the mouse; two canvases, the lower one with the map, the upper one with
//                         what changes under the mouse
//      .hg-map__tip       what is under the pointer
//      .hg-map__bar       zoom, all, table
//      .hg-map__twin      the table
//      .hg-map__hidden    the live region and the description of the keys

import { icon, make } from '../dom/dom.ts';
import { kMapKeysText } from './map_keys.ts';

const kIcons = {
  zoomIn: 'M7 3h2v4h4v2H9v4H7V9H3V7h4z',
  zoomOut: 'M3 7h10v2H3z',
  fit: 'M2 2h4v1.5H3.5V6H2zM10 2h4v4h-1.5V3.5H10zM2 10h1.5v2.5H6V14H2zM12.5 10H14v4h-4v-1.5h2.5zM5 7h6v2H5z',
  fold: 'M2 2h12v2H2zM4 7h2v2H4zM7 7h2v2H7zM10 7h2v2h-2zM2 12h12v2H2z',
  lives: 'M2 2h5v3H2zM5 6h9v3H5zM2 10h4v4H2zM8 10h6v4H8z',
  table: 'M2 3h12v2H2zM2 7h5v2H2zM9 7h5v2H9zM2 11h5v2H2zM9 11h5v2H9z',
} as const;

export interface MapPartsCallbacks {
  zoomIn(): void;
  zoomOut(): void;
  fit(): void;
  toggleTable(): void;
  fold(): void;
  lives?(): void;
}

let made = 0;

export function makeMapParts(callbacks: MapPartsCallbacks) {
  const keysId = `hg-map-keys-${made++}`;
  const picture = make('canvas', { class: 'hg-map__canvas', 'aria-hidden': 'true' });
  const overlay = make('canvas', { class: 'hg-map__canvas', 'aria-hidden': 'true' });
  const surface = make(
    'div',
    {
      class: 'hg-map__surface',
      role: 'application',
      tabindex: 0,
      'aria-roledescription': 'heap map',
      'aria-label': 'Heap map: the address space, row by row',
      'aria-describedby': keysId,
    },
    picture,
    overlay,
  );
  const tipTitle = make('strong', { class: 'hg-map__tip-title' });
  const tipLines = make('span', { class: 'hg-map__tip-lines' });
  const tip = make('div', { class: 'hg-map__tip', hidden: true, 'aria-hidden': 'true' }, tipTitle, tipLines);
  const rowBytes = make('span', { class: 'hg-map__row-bytes' });
  const table = button('table', 'Chunks as a table', callbacks.toggleTable);
  table.setAttribute('aria-expanded', 'false');
  const fold = button('fold', 'Empty rows folded into one (e)', callbacks.fold);
  fold.setAttribute('aria-pressed', 'true');
  const bar = make(
    'div',
    { class: 'hg-map__bar', role: 'group', 'aria-label': 'Map' },
    button('zoomOut', 'Zoom out', callbacks.zoomOut),
    rowBytes,
    button('zoomIn', 'Zoom in', callbacks.zoomIn),
    button('fit', 'Show all of the heap', callbacks.fit),
    fold,
    table,
    callbacks.lives === undefined ? undefined : button('lives', 'Lifetimes: address against time (v)', callbacks.lives),
  );
  const live = make('div', { class: 'hg-map__hidden', 'aria-live': 'polite', role: 'status' });
  const keys = make('p', { class: 'hg-map__hidden', id: keysId }, kMapKeysText);
  const element = make('div', { class: 'hg-map' }, surface, tip, bar, live, keys);
  return { element, surface, picture, overlay, tip, tipTitle, tipLines, rowBytes, fold, table, bar, live };
}

export type MapParts = ReturnType<typeof makeMapParts>;

function button(name: keyof typeof kIcons, title: string, press: () => void): HTMLButtonElement {
  const element = make('button', { type: 'button', class: 'hg-map__button', title, 'aria-label': title });
  element.append(icon(kIcons[name]));
  element.addEventListener('click', press);
  return element;
}
