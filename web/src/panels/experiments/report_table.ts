// A table of texts from a report: written cell by cell, so that one that fills while it is read stays where it is.

import { make, setText } from '../../dom/dom.ts';

export interface TableTexts {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const kFigure = /^[–+-]?[\d.,]+\s*(%|×|[a-zµ]{1,5})?(\s*±[\d.,]+\s*%)?(\s*\([\d.,]+\s*[%×]?\))?$/i;

/** 12.3 · 1,234 µs · 90× · 33 % · 5.71 ±2 % · 5.71× (6.57×) · –: read best in columns, so set to the right. Nothing yet counts as one. */
export const isFigure = (text: string): boolean => text === '' || text === '–' || kFigure.test(text);

export function createTable(name: string) {
  const caption = make('caption', { class: 'hg-table__caption' }, name);
  const head = make('tr');
  const body = make('tbody');
  const table = make('table', { class: 'hg-table' }, caption, make('thead', {}, head), body);
  // It scrolls sideways when its columns do not fit: the keyboard must reach it.
  const element = make('div', { class: 'hg-table__scroller', role: 'region', tabindex: 0, 'aria-label': name }, table);

  return {
    element,
    update({ head: names, rows }: TableTexts, title = name): void {
      setText(caption, title);
      element.setAttribute('aria-label', title);
      fill(head, names, () => make('th', { scope: 'col' }));
      while (body.childElementCount > rows.length) body.lastElementChild?.remove();
      while (body.childElementCount < rows.length) body.append(make('tr'));
      rows.forEach((row, index) => {
        const line = body.children[index];
        if (line === undefined) return;
        fill(line, row, (column) => (column === 0 ? make('th', { scope: 'row' }) : make('td')));
        row.forEach((text, column) => {
          line.children[column]?.classList.toggle('hg-table__figure', isFigure(text));
        });
      });
      // A column of figures has its head at the same side.
      names.forEach((_, column) => {
        const figures = rows.length > 0 && rows.every((row) => isFigure(row[column] ?? ''));
        head.children[column]?.classList.toggle('hg-table__figure', figures);
      });
    },
  };
}

function fill(line: Element, texts: readonly string[], makeCell: (column: number) => HTMLElement): void {
  while (line.childElementCount > texts.length) line.lastElementChild?.remove();
  while (line.childElementCount < texts.length) line.append(makeCell(line.childElementCount));
  texts.forEach((text, column) => {
    const cell = line.children[column];
    if (cell !== undefined) setText(cell, text);
  });
}
