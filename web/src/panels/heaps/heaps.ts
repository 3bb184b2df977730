// Every heap of the memory as a row: how much of what it holds is in use, and what it is made of. A memory pool is a
// heap of its own, so here it stands beside the others. Choosing one makes bins, pools and numbers be about it.
//
//   #1  ▓▓▓▓▓▓▓▒▒░░░  1.2 MiB of 2 MiB            in use, cached, the rest of the footprint
//       1 segment · 132 chunks in use · 40 cached · 2 pools

import './heaps.css';
import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import { keyedRows, make, setText } from '../../dom/dom.ts';
import type { HeapRow } from '../../protocol/frames.ts';

export interface HeapsCallbacks {
  choose(heap: number): void;
}

const several = (count: number, one: string, more: string): string =>
  count === 1 ? `1 ${one}` : `${formatCount(count)} ${more}`;

/** "1.2 MiB of 2 MiB": in use of the footprint. */
export const heapSizes = (row: HeapRow): string => `${formatBytes(row.inUse)} of ${formatBytes(row.footprint)}`;

/** "1 segment · 132 chunks in use · 40 cached · 2 pools" */
export const heapParts = (row: HeapRow): string =>
  [
    several(row.segments, 'segment', 'segments'),
    several(row.chunksInUse, 'chunk in use', 'chunks in use'),
    ...(row.chunksCached === 0 ? [] : [`${formatCount(row.chunksCached)} cached`]),
    several(row.pools, 'pool', 'pools'),
  ].join(' · ');

export function createHeaps(parent: Element, callbacks: HeapsCallbacks) {
  const list = make('ul', { class: 'hg-heaps__list hg-list hg-scrolls' });
  const sum = make('span', { class: 'hg-heading__extra' });
  const none = make('p', { class: 'hg-note' }, 'No heap lives at this moment.');
  const element = make('section', { class: 'hg-heaps' }, make('h2', { class: 'hg-heading' }, 'Heaps', sum), list, none);
  parent.append(element);

  let chosen = 0;
  let most = 1;

  const show = keyedRows<HeapRow, HTMLLIElement>(
    list,
    (row) => row.id,
    (row) => {
      const button = make(
        'button',
        { type: 'button', class: 'hg-heaps__row hg-row hg-row--figures' },
        make('span', { class: 'hg-heaps__id' }, `#${row.id}`),
        make('span', { class: 'hg-heaps__bar', 'aria-hidden': 'true' }, make('i'), make('i')),
        make('span', { class: 'hg-heaps__sizes' }),
        make('span', { class: 'hg-heaps__parts' }),
      );
      button.addEventListener('click', () => callbacks.choose(row.id));
      return make('li', {}, button);
    },
    (item, row) => {
      const button = item.firstElementChild;
      const [, bar, sizes, parts] = button?.children ?? [];
      if (!(button instanceof HTMLElement) || !(bar instanceof HTMLElement) || !sizes || !parts) return;
      // Bars share one scale: a long one is a large heap. Its filled parts are in use and cached.
      bar.style.setProperty('--footprint', `${((row.footprint / most) * 100).toFixed(1)}%`);
      bar.style.setProperty('--used', `${((row.inUse / Math.max(1, row.footprint)) * 100).toFixed(1)}%`);
      bar.style.setProperty('--cached', `${((row.cached / Math.max(1, row.footprint)) * 100).toFixed(1)}%`);
      setText(sizes, heapSizes(row));
      setText(parts, heapParts(row));
      button.setAttribute('aria-pressed', String(row.id === chosen));
      button.title = `heap #${row.id}, from ${formatAddress(row.base)}`;
    },
  );

  return {
    element,
    /** `shown`: the heap that bins and pools are about. */
    update(heaps: readonly HeapRow[], shown: number): void {
      chosen = shown;
      most = heaps.reduce((largest, row) => Math.max(largest, row.footprint), 1);
      none.hidden = heaps.length > 0;
      setText(sum, heaps.length > 1 ? `${heaps.length} heaps` : '');
      show(heaps);
    },
    dispose(): void {
      element.remove();
    },
  };
}
