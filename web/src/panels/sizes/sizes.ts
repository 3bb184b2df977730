// Sizes and ages at this moment, as bars that are rows of a table: what is in use, cached and free, by size; what is in
// use, by the events since its birth. A row leads to its largest chunk on the map.
//
//   64–127 B   ██████████▒▒▒▒   1,204   98.1 KiB      the bar's length is bytes, of the most that any row has
//
// Free memory in many small rows, and little in large ones, is what fragmentation looks like.

import './sizes.css';
import type { Addr } from '../../base/brand.ts';
import { formatBytes, formatCount } from '../../base/format.ts';
import { keyedRows, make, setText } from '../../dom/dom.ts';
import type { SizeClassRow, SizesFrame } from './part.ts';

export interface SizesCallbacks {
  reveal(address: Addr, size: number): void;
}

type Kind = 'in-use' | 'cached' | 'free' | 'age';

export function createSizes(parent: Element, callbacks: SizesCallbacks) {
  const parts = (
    [
      ['in-use', 'In use, by size'],
      ['cached', 'Cached by malloc, by size'],
      ['free', 'Free, by size'],
      ['age', 'In use, by age'],
    ] as const
  ).map(([kind, title]) => createBars(kind, title, callbacks));
  const note = make(
    'p',
    { class: 'hg-note' },
    'Bars are bytes, header words included. A row leads to its largest chunk.',
  );
  const element = make(
    'section',
    { class: 'hg-sizes', 'aria-label': 'Sizes' },
    ...parts.map((part) => part.element),
    note,
  );
  parent.append(element);
  return {
    element,
    update(sizes: SizesFrame | undefined): void {
      if (sizes === undefined) return;
      const lists = [sizes.inUse, sizes.cached, sizes.free, sizes.ages];
      for (const [nth, part] of parts.entries()) part.update(lists[nth] ?? [], nth === 1 ? sizes.slabWords : 0);
    },
    dispose(): void {
      element.remove();
    },
  };
}

function createBars(kind: Kind, title: string, callbacks: SizesCallbacks) {
  const sum = make('span', { class: 'hg-heading__extra' });
  const body = make('tbody', {});
  const heading = kind === 'age' ? 'events since its birth' : 'size';
  const table = make(
    'table',
    { class: `hg-sizes__table hg-figures hg-sizes__table--${kind}`, 'aria-label': title },
    make(
      'thead',
      { class: 'hg-hidden' },
      make('tr', {}, ...[heading, 'bytes', 'chunks'].map((name) => make('th', { scope: 'col' }, name))),
    ),
    body,
  );
  const none = make('p', { class: 'hg-note' }, 'None at this moment.');
  const aside = make('p', { class: 'hg-note' });
  const element = make(
    'div',
    { class: 'hg-sizes__part' },
    make('h2', { class: 'hg-heading' }, title, sum),
    table,
    none,
    aside,
  );
  let rows = new Map<number, SizeClassRow>();
  let most = 1;
  const show = keyedRows<SizeClassRow, HTMLTableRowElement>(
    body,
    (row) => row.power,
    ({ power }) => {
      const button = make('button', { type: 'button', class: 'hg-sizes__class' }, classText(kind, power));
      button.addEventListener('click', () => {
        const row = rows.get(power);
        if (row !== undefined) callbacks.reveal(row.largestAt, row.largest);
      });
      return make(
        'tr',
        {},
        make('th', { scope: 'row' }, button),
        make('td', {}, make('i', { class: 'hg-sizes__bar', 'aria-hidden': 'true' }), make('span', {})),
        make('td', {}),
      );
    },
    (element, row) => {
      const [, amount, count] = element.children;
      const bar = amount?.firstElementChild;
      if (bar instanceof HTMLElement) bar.style.width = `calc((100% - 9ch) * ${row.bytes / most})`; // beside the number
      if (amount?.lastElementChild) setText(amount.lastElementChild, formatBytes(row.bytes));
      if (count !== undefined) setText(count, formatCount(row.count));
    },
  );
  return {
    element,
    /** beside: bytes that are in the sum and in no row. */
    update(list: readonly SizeClassRow[], beside: number): void {
      rows = new Map(list.map((row) => [row.power, row]));
      most = Math.max(1, ...list.map((row) => row.bytes));
      show(list);
      element.hidden = kind === 'cached' && list.length === 0 && beside === 0; // most heaps have no cache
      none.hidden = list.length > 0;
      table.hidden = list.length === 0;
      setText(sum, formatBytes(list.reduce((all, row) => all + row.bytes, beside)));
      setText(aside, besideText(beside));
      aside.hidden = beside === 0;
    },
  };
}

/** What is cached and in no row. */
export const besideText = (beside: number): string =>
  `${formatBytes(beside)} of it are slabs’ own words and the table of where they lie: no request can have them.`;

/** "64–127", "1–2 KiB"; of ages "64–127", "4k–8k". */
export function classText(kind: Kind, power: number): string {
  const low = 2 ** power;
  if (power < 10) return power === 0 ? '1' : `${low}–${2 * low - 1}`;
  const unit = power < 20 ? 2 ** 10 : power < 30 ? 2 ** 20 : 2 ** 30;
  const name = { [2 ** 10]: 'K', [2 ** 20]: 'M', [2 ** 30]: 'G' }[unit] ?? '';
  const high = (2 * low) / unit;
  if (kind === 'age')
    return `${low / unit}${name}–${high === 1024 ? `1${name === 'K' ? 'M' : 'G'}` : `${high}${name}`}`;
  return high === 1024 ? `${low / unit} ${name}iB–1 ${name === 'K' ? 'M' : 'G'}iB` : `${low / unit}–${high} ${name}iB`;
}
