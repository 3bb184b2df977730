// A list of functions with what each of them has: name, file and line in the row. Pressing a row asks what the function holds.

import { labelOfFrame } from '../../base/frames.ts';
import { visible } from '../../base/visible.ts';
import { keyedRows, make, setText } from '../../dom/dom.ts';
import { nameOf } from './flame_layout.ts';

export interface SiteTableRow {
  readonly frame: string; // '': not known
  /** In place of a function, where the list is of something else. */
  readonly text?: string;
  readonly cells: readonly string[];
  readonly mark?: string; // behind the place
  readonly share?: number; // of all, 0 to 1: drawn as a bar
  readonly stack?: readonly string[]; // one whole stack, innermost first
}

export function createSiteTable(label: string, press: (frame: string) => void) {
  const head = make('tr', {});
  const body = make('tbody', {});
  const element = make(
    'table',
    { class: 'hg-sites__table hg-figures', 'aria-label': label },
    make('thead', {}, head),
    body,
  );
  const showRows = keyedRows<SiteTableRow, HTMLTableRowElement>(
    body,
    ({ frame, text }) => text ?? frame,
    ({ frame, text }) => {
      const name = make('button', { type: 'button', class: 'hg-link hg-sites__name' }, nameOf({ frame }));
      name.addEventListener('click', () => press(frame));
      const place = make('span', { class: 'hg-dim hg-sites__place' });
      const mark = make('span', { class: 'hg-sites__mark' });
      const title = make(
        'th',
        { scope: 'row' },
        frame === '' ? (text ?? nameOf({ frame })) : name,
        ' ',
        place,
        ' ',
        mark,
      );
      return make('tr', { 'data-frame': frame }, title);
    },
    (row, { frame, cells, mark, share, stack }) => {
      row.style.setProperty('--hg-part', `${(share ?? 0) * 100}%`);
      const [title] = row.children;
      if (title instanceof HTMLElement) title.title = visible(stack?.join('\n') ?? frame, { lines: true });
      const [place, marked] = row.querySelectorAll('span');
      if (place !== undefined) setText(place, labelOfFrame(frame).place);
      if (marked !== undefined) setText(marked, mark ?? '');
      while (row.children.length <= cells.length) row.append(make('td', {}));
      while (row.children.length > cells.length + 1) row.lastElementChild?.remove();
      cells.forEach((cell, nth) => {
        const field = row.children[nth + 1];
        if (field !== undefined) setText(field, cell);
      });
    },
  );
  let heads = '';
  return {
    element,
    show(columns: readonly string[], rows: readonly SiteTableRow[], lit: string | undefined): void {
      element.hidden = rows.length === 0;
      if (heads !== columns.join()) {
        heads = columns.join();
        head.replaceChildren(...columns.map((name) => make('th', { scope: 'col' }, name)));
      }
      showRows(rows);
      for (const row of body.children) {
        const isLit = row instanceof HTMLElement && row.dataset['frame'] === lit && lit !== '';
        row.classList.toggle('hg-sites__row--lit', isLit);
        row.querySelector('button')?.setAttribute('aria-pressed', String(isLit));
      }
    },
  };
}
