// The map's twin in text: the chunks around the selection, or those in view, as a table whose addresses are buttons.
// From far, where the map shows densities, one row for each row of the map.
//
//   T1  At most kMostRows rows; the caption says how many there would be.
//   T2  Nothing is built while the table is closed.

import { formatAddress, formatBytes, formatCount } from '../base/format.ts';
import { keyedRows, make, setText } from '../dom/dom.ts';
import type { CellMarks, ChunkMarks, MapFrame } from '../protocol/map_frames.ts';
import { bandsOf } from '../protocol/viewport.ts';
import { chunkMark, rangeAt, rangesWithin } from './map_marks.ts';
import { stateWord } from './map_words.ts';

const kMostRows = 50;
/** Of them before the selected one: it is in sight without scrolling. */
const kRowsBefore = 6;

interface TableRow {
  readonly address: number;
  readonly cells: readonly string[];
  readonly selected: boolean;
}

export function createMapTable(select: (address: number) => void) {
  const caption = make('caption', {});
  const head = make('tr', {});
  const body = make('tbody', {});
  const table = make('table', { class: 'hg-map__table' }, caption, make('thead', {}, head), body);
  const element = make(
    'div',
    { class: 'hg-map__twin', role: 'region', 'aria-label': 'Table of chunks', tabindex: 0, hidden: true },
    table,
  );
  let headings = '';

  const show = keyedRows<TableRow, HTMLTableRowElement>(
    body,
    (row) => row.address,
    (row) => {
      const button = make('button', { type: 'button', class: 'hg-map__address' });
      button.addEventListener('click', () => select(row.address));
      return make('tr', {}, make('th', { scope: 'row' }, button), ...row.cells.map(() => make('td', {})));
    },
    (element, row) => {
      const button = element.querySelector('button');
      if (button !== null) setText(button, formatAddress(row.address));
      row.cells.forEach((text, index) => {
        const cell = element.children[index + 1];
        if (cell !== undefined) setText(cell, text);
      });
      if (row.selected) element.setAttribute('aria-current', 'true');
      else element.removeAttribute('aria-current');
    },
  );

  function setHeadings(names: readonly string[]): void {
    if (headings === names.join()) return;
    headings = names.join();
    head.replaceChildren(...names.map((name) => make('th', { scope: 'col' }, name)));
    show([]); // rows of the other kind have other cells
  }

  return {
    element,
    isOpen: () => !element.hidden,
    setOpen(open: boolean): void {
      element.hidden = !open;
    },
    update(frame: MapFrame, from: number, to: number, selected: number | undefined): void {
      if (element.hidden) return; // T2
      if (frame.chunks === undefined) {
        if (frame.cells === undefined) return;
        setHeadings(['Row', 'In use', 'Cached', 'Pool blocks', 'Free', 'Top']);
        setText(caption, `Densities, ${formatBytes(frame.viewport.bytesPerRow)} a row. Zoom in for chunks.`);
        show(densityRows(frame, frame.cells));
        return;
      }
      setHeadings(['Address', 'Size', 'State']);
      const { rows, inView } = chunkRows(frame.chunks, from, to, selected);
      setText(caption, `${formatCount(rows.length)} chunks, of ${formatCount(Math.max(inView, rows.length))} in view`);
      show(rows);
    },
  };
}

/** T1. Around the selected chunk, or those of [from, to). */
export function chunkRows(chunks: ChunkMarks, from: number, to: number, selected: number | undefined) {
  const [first, end] = rangesWithin(chunks, from, to);
  const at = selected === undefined ? undefined : rangeAt(chunks, selected);
  const begin = at === undefined ? first : Math.max(at - kRowsBefore, 0);
  const length = Math.min((at === undefined ? end : chunks.count) - begin, kMostRows);
  const rows = Array.from({ length }, (_, nth): TableRow => {
    const { index, address, size, state } = chunkMark(chunks, begin + nth);
    return {
      address,
      cells: [formatBytes(size), stateWord(state, chunks.slab?.[index])],
      selected: index === at,
    };
  });
  return { rows, inView: end - first };
}

export function densityRows(frame: MapFrame, cells: CellMarks): readonly TableRow[] {
  const { bytesPerRow } = frame.viewport;
  const addresses = bandsOf(frame.viewport).flatMap((band) =>
    Array.from({ length: band.rows }, (_, row) => band.origin + row * bytesPerRow),
  );
  const found: TableRow[] = [];
  for (const [row, address] of addresses.entries()) {
    if (found.length >= kMostRows) break;
    const from = row * cells.cellsPerRow;
    const mean = (shares: Uint8Array): number => {
      let sum = 0;
      for (let index = from; index < from + cells.cellsPerRow; index++) sum += shares[index] ?? 0;
      return sum / cells.cellsPerRow / 255;
    };
    const shares = [mean(cells.inUse), mean(cells.cached), mean(cells.pool), mean(cells.free), mean(cells.top)];
    if (shares.every((share) => share === 0)) continue;
    const texts = shares.map((share) => `${(share * 100).toFixed(1)} %`);
    found.push({ address, cells: texts, selected: false });
  }
  return found;
}
