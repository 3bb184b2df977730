// The free lists: every non-empty bin as a row with its sizes, one square a chunk, and how many. Choosing one shows its
// chain as arrows over the map.
//
//   bins.1  The squares are as long as the bin has chunks, compared with the other rows: many squares are narrow ones. Where the
//           longest bin has more than there is room for, a square is of several chunks in every row; the row's words say of how many.
//
// While time runs, small bins have their rows always and a large one keeps its row when it becomes empty (no square, 0),
// so that the list does not jump under the eye. When time stands still only bins with chunks are listed.

import './bins.css';
import { bytes } from '../../base/brand.ts';
import { formatBytes, formatCount } from '../../base/format.ts';
import { keyedRows, make, setText } from '../../dom/dom.ts';
import type { BinRow, ListsPart } from './part.ts';

export interface BinsCallbacks {
  /** undefined: no bin. */
  select(bin: number | undefined): void;
}

/** Marks in a row; up to so many chunks are squares, more are bars. */
const kMostSquares = 36;
/** So many squares share the column at least: fewer would be boxes. */
const kLeastColumns = 9;

const kNone = 'No free chunk is in a bin.';
const kBeside = 'Free chunks of the heap; top and the designated victim are free and in no bin';
const kNotKnown = 'This trace has the blocks of the program alone: what is free is not known.';

/** "16", "256–383", "1–1.5 K": what fits in the column. */
export function sizesText(low: number, high: number): string {
  if (high <= low) return low < 1024 ? String(low) : formatBytes(low);
  if (high < 1024) return `${low}–${high}`;
  const kilo = low < 1024 * 1024;
  const unit = kilo ? 1024 : 1024 * 1024;
  const short = (value: number) => String(Math.round((value / unit) * 100) / 100);
  // A bin's last size is a step short of the next bin's first one; that one is shown.
  const end = high > 0x7fff_ffff ? '…' : short(Math.ceil((high + 1) / 8) * 8);
  return `${short(low)}–${end}${'\u202f'}${kilo ? 'K' : 'M'}`;
}

/** What the heap has free, and how much of that the rows are: top and the designated victim are in no bin. */
export function freeText(bins: readonly Pick<BinRow, 'count'>[], freeChunks: number): string {
  const inBins = bins.reduce((total, { count }) => total + count, 0);
  if (freeChunks === 0) return '';
  return `${formatCount(freeChunks)} free${inBins === freeChunks ? '' : `, ${formatCount(inBins)} in bins`}`;
}

export function createBins(parent: Element, callbacks: BinsCallbacks) {
  const list = make('ul', { class: 'hg-bins__list hg-list' });
  const none = make('p', { class: 'hg-note' }, kNone);
  const sum = make('span', { class: 'hg-heading__extra', title: kBeside });
  const element = make('section', { class: 'hg-bins' }, make('h2', { class: 'hg-heading' }, 'Bins', sum), list, none);
  parent.append(element);

  let selected: number | undefined;
  let each = 1; // bins.1: chunks of one square
  let lingering = new Map<number, BinRow>();

  const show = keyedRows<BinRow, HTMLLIElement>(
    list,
    (row) => row.bin,
    (row) => {
      const squares = make('span', { class: 'hg-bins__squares', 'aria-hidden': 'true' });
      const button = make(
        'button',
        { type: 'button', class: 'hg-bins__row hg-row hg-row--figures' },
        make('span', { class: 'hg-bins__sizes' }, sizesText(row.low, row.high)),
        squares,
        make('span', { class: 'hg-bins__count' }),
        make('span', { class: 'hg-hidden' }, ' chunks'),
      );
      button.addEventListener('click', () => callbacks.select(selected === row.bin ? undefined : row.bin));
      return make('li', {}, button);
    },
    (item, row) => {
      const button = item.firstElementChild;
      const squares = button?.children[1];
      const count = button?.children[2];
      if (!(button instanceof HTMLElement) || squares === undefined || count === undefined) return;
      button.setAttribute('aria-pressed', String(selected === row.bin));
      const said = `${row.count} ${row.bytes} ${each}`;
      if (button.dataset['said'] === said) return; // at sixty frames a second most rows say the same again
      button.dataset['said'] = said;
      setText(count, formatCount(row.count));
      button.title = nameOf(row) + (each > 1 ? `; a mark is ${each} chunks` : '');
      const wanted = Math.ceil(row.count / each);
      while (squares.childElementCount > wanted) squares.lastElementChild?.remove();
      while (squares.childElementCount < wanted) squares.append(make('i'));
    },
  );

  return {
    element,
    /** known: the trace has free lists. */
    update(lists: ListsPart | undefined, selectedBin: number | undefined, moving: boolean, known: boolean): void {
      const { bins, freeChunks } = lists ?? { bins: [], freeChunks: 0 };
      selected = selectedBin;
      const rows = new Map<number, BinRow>();
      if (moving) for (const [bin, row] of lingering) rows.set(bin, { ...row, count: 0, bytes: bytes(0) });
      for (const row of bins) if (moving || row.count > 0) rows.set(row.bin, row);
      lingering = rows;
      const most = Math.max(1, ...[...rows.values()].map(({ count }) => count));
      each = Math.ceil(most / kMostSquares);
      list.style.setProperty('--most', String(Math.max(kLeastColumns, Math.ceil(most / each))));
      show([...rows.values()].sort((left, right) => left.bin - right.bin));
      none.hidden = rows.size > 0;
      setText(none, known ? kNone : kNotKnown);
      setText(sum, freeText(bins, freeChunks));
    },
    dispose(): void {
      element.remove();
    },
  };
}

function nameOf(row: BinRow): string {
  const sizes = row.low === row.high ? formatBytes(row.low) : `${formatBytes(row.low)} to ${formatBytes(row.high)}`;
  const chunks = row.count === 1 ? '1 chunk' : `${formatCount(row.count)} chunks`;
  return `bin ${row.bin}: ${sizes}, ${chunks}, ${formatBytes(row.bytes)}`;
}
