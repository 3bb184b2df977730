// A hole with the blocks that pin it, in the order of their addresses as far as they lie on one side.
//
//   Hole at 0x0004_1a30, 4.2 KiB                     a button to it
//   blocks                 joined  which
//   free 1   ██████▒▒▒▒   6.1 KiB  1 after
//   free 2   ██████████   9.9 KiB  1 before, 1 after
//
//   side       block     size     age   joined
//   before 1   0x…       64 B   1,204   6.1 KiB
//              parse json.c:88

import './pins.css';
import type { Addr } from '../../base/brand.ts';
import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import { rowOfFrame } from '../../base/frames.ts';
import { keyedRows, make, setText } from '../../dom/dom.ts';
import { ChunkState } from '../../protocol/map_frames.ts';
import { slabInWords } from '../../protocol/slab_words.ts';
import type { PinningBlock, PinsPart, Release } from './part.ts';

export interface PinsCallbacks {
  reveal(address: Addr, size: number): void;
}

const kNone =
  'No hole: the free memory of this heap is in one piece, at its top, or its blocks leave no gap that is known.';

export function createPins(parent: Element, { reveal }: PinsCallbacks) {
  let hole: PinsPart['hole'] | undefined;
  const place = make('button', { type: 'button', class: 'hg-link' });
  place.addEventListener('click', () => hole !== undefined && reveal(hole.address, hole.size));
  const size = make('span', { class: 'hg-heading__extra' });
  const said = make('p', { class: 'hg-note', role: 'status' });
  const releases = createReleases();
  const pins = createBlocks(reveal);
  const body = make('div', {}, releases.table, pins.table);
  const element = make(
    'section',
    { class: 'hg-pins', 'aria-label': 'Pins' },
    make('h2', { class: 'hg-heading' }, 'Hole ', place, size),
    said,
    body,
  );
  parent.append(element);
  return {
    update(shown: PinsPart | undefined): void {
      hole = shown?.hole;
      body.hidden = place.hidden = shown === undefined;
      setText(said, shown === undefined ? kNone : sentenceOf(shown));
      setText(size, shown === undefined ? '' : formatBytes(shown.hole.size));
      if (shown === undefined) return;
      setText(place, formatAddress(shown.hole.address));
      releases.update(shown.hole.size, shown.releases);
      pins.update(shown.pins);
    },
    dispose: () => element.remove(),
  };
}

/** Which hole it is, and what the cheapest release gives. */
export function sentenceOf({ selected, hole, releases, top }: PinsPart): string {
  const which = selected
    ? 'The hole at the selection.'
    : top > hole.size
      ? `The largest hole between blocks; top, ${formatBytes(top)}, is free too and nothing pins it.`
      : 'The largest hole of this heap: select another one on the map.';
  const [one] = releases;
  if (one === undefined) return `${which} No block lies beside it.`;
  return `${which} Freeing ${one.blocks === 1 ? 'one block' : `${formatCount(one.blocks)} blocks`} would make ${formatBytes(hole.size)} into ${formatBytes(one.joined)}.`;
}

/** "2 before, 1 after". */
export function sidesText({ before, after }: Release): string {
  return [before > 0 ? `${before} before` : '', after > 0 ? `${after} after` : ''].filter(Boolean).join(', ');
}

function createReleases() {
  const body = make('tbody', {});
  const table = tableOf(
    'What freeing blocks would join',
    [{ name: 'blocks' }, { name: 'joined', about: 'the free memory in one piece then' }, { name: 'which' }],
    body,
  );
  let most = 1;
  const show = keyedRows<Release, HTMLTableRowElement>(
    body,
    ({ blocks }) => blocks,
    ({ blocks }) =>
      make(
        'tr',
        {},
        make('th', { scope: 'row' }, `free ${blocks}`),
        make('td', {}, make('i', { class: 'hg-pins__bar', 'aria-hidden': 'true' }), make('span', {})),
        make('td', { class: 'hg-dim' }),
      ),
    (row, release) => {
      const [, amount, which] = row.children;
      const bar = amount?.firstElementChild;
      if (bar instanceof HTMLElement) bar.style.width = `calc((100% - 9ch) * ${release.joined / most})`;
      if (amount?.lastElementChild) setText(amount.lastElementChild, formatBytes(release.joined));
      if (which !== undefined) setText(which, sidesText(release));
    },
  );
  return {
    table,
    update(hole: number, releases: readonly Release[]): void {
      most = Math.max(hole, ...releases.map(({ joined }) => joined));
      show(releases);
    },
  };
}

/** A row of figures, and below it the row that says whose the block is: a function with its file and line is as wide as all figures. */
interface PinRow {
  readonly block: PinningBlock;
  readonly says: 'figures' | 'whose';
}

const rowsOf = (block: PinningBlock): readonly PinRow[] =>
  whoseText(block) === ''
    ? [{ block, says: 'figures' }]
    : [
        { block, says: 'figures' },
        { block, says: 'whose' },
      ];

function createBlocks(reveal: PinsCallbacks['reveal']) {
  const body = make('tbody', {});
  const table = tableOf(
    'Blocks beside the hole, nearest first',
    [
      { name: 'side' },
      { name: 'block' },
      { name: 'size' },
      { name: 'age', about: 'events since it was allocated' },
      { name: 'joined', about: 'the free memory in one piece when it and those nearer are freed' },
    ],
    body,
  );
  const show = keyedRows<PinRow, HTMLTableRowElement>(
    body,
    ({ block: { side, nth, address, size }, says }) => `${side}${nth}/${address}/${size}/${says}`,
    ({ block: { side, nth, address, size }, says }) => {
      if (says === 'whose') return make('tr', {}, make('td', {}), make('td', { colspan: 4, class: 'hg-pins__whose' }));
      const place = make('button', { type: 'button', class: 'hg-link' }, formatAddress(address));
      place.addEventListener('click', () => reveal(address, size));
      const cells = [1, 2, 3].map(() => make('td', {}));
      return make('tr', {}, make('th', { scope: 'row' }, `${side} ${nth}`), make('td', {}, place), ...cells);
    },
    (row, { block, says }) => {
      if (says === 'whose') {
        if (row.lastElementChild !== null) setText(row.lastElementChild, whoseText(block));
        row.setAttribute('title', block.stack.join('\n'));
        return;
      }
      const texts = [formatBytes(block.size), formatCount(block.age), formatBytes(block.joined)];
      for (const [nth, text] of texts.entries()) {
        const cell = row.children[nth + 2];
        if (cell !== undefined) setText(cell, text);
      }
    },
  );
  return {
    table,
    update: (blocks: readonly PinningBlock[]): void => show(blocks.flatMap(rowsOf)),
  };
}

/** The program's own function that made it, or whose it is where the heap does not tell a caller. */
export function whoseText({ state, own, slab }: PinningBlock): string {
  if (slab !== undefined) return slabInWords(slab);
  if (state === ChunkState.cached) return 'freed, cached by malloc';
  return own === '' && state === ChunkState.poolBlock ? 'of a pool' : rowOfFrame(own);
}

/** `about`: what the name leaves out, for a mouse and a screen reader. */
interface Column {
  readonly name: string;
  readonly about?: string;
}

function tableOf(name: string, columns: readonly Column[], body: HTMLElement): HTMLTableElement {
  const head = make('tr', {}, ...columns.map(({ name, about }) => make('th', { scope: 'col', title: about }, name)));
  return make(
    'table',
    { class: 'hg-pins__table hg-figures', 'aria-label': name },
    make('thead', { class: 'hg-dim' }, head),
    body,
  );
}
