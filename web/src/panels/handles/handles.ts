// Handles of embind and of wasm-bindgen that nobody has deleted, by class and line of JavaScript; and those that were collected.
//
//   10 handles hold 1.1 KiB. 3 were collected, and deleted late.
//   class, made by         handles     bytes   block
//   Counter                     10   1.1 KiB   0x…      a button to the first one
//   openLevel app.ts:12
//
//   deleted late, by the engine's finalizer
//   class, made by         handles

import './handles.css';
import { addr } from '../../base/brand.ts';
import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import { placeOfFrame, spokenName } from '../../base/frames.ts';
import { visible } from '../../base/visible.ts';
import { keyedRows, make, setText } from '../../dom/dom.ts';
import type { HandleFigures, HandleGroup } from '../../protocol/handles.ts';
import type { PanelPage } from '../panel.ts';

export type HandlesCallbacks = Pick<PanelPage, 'reveal'>;

const kNone =
  'No handle was made so far. A handle is a JavaScript object of embind or wasm-bindgen that holds memory of the program until delete() or free() is called on it. They are recorded where the recorder began before the JavaScript glue of the program.';

export function createHandles(parent: Element, { reveal }: HandlesCallbacks) {
  const said = make('p', { class: 'hg-note', role: 'status' });
  const open = createTable('Handles nobody has deleted', ['class, made by', 'handles', 'bytes', 'block'], reveal);
  const collected = createTable("Deleted late, by the engine's finalizer", ['class, made by', 'handles'], reveal);
  const late = make('h3', { class: 'hg-heading' }, "Deleted late, by the engine's finalizer");
  const element = make(
    'section',
    { class: 'hg-handles', 'aria-label': 'Handles' },
    make('h2', { class: 'hg-heading' }, 'Handles nobody has deleted'),
    said,
    open.table,
    late,
    collected.table,
  );
  parent.append(element);
  return {
    update(shown: HandleFigures | undefined): void {
      setText(said, shown === undefined || shown.made === 0 ? kNone : sentenceOf(shown));
      open.update(shown?.groups ?? []);
      collected.update(shown?.collected_groups ?? []);
      late.hidden = (shown?.collected ?? 0) === 0;
    },
    dispose: () => element.remove(),
  };
}

/** How many hold how much, and what became of others. */
export function sentenceOf({ made, handles, size_bytes, collected, without_block }: HandleFigures): string {
  const held =
    handles === 0
      ? `Of ${formatCount(made)} handles none holds memory.`
      : `${formatCount(handles)} of ${formatCount(made)} handles hold ${formatBytes(size_bytes)}.`;
  const more = [
    collected === 0 ? '' : `${formatCount(collected)} were collected, and deleted late.`,
    without_block === 0 ? '' : `${formatCount(without_block)} more point to no block of their own.`,
  ];
  return [held, ...more].filter((text) => text !== '').join(' ');
}

function createTable(name: string, columns: readonly string[], reveal: HandlesCallbacks['reveal']) {
  const body = make('tbody', {});
  const heads = columns.map((column) => make('th', { scope: 'col' }, column));
  const table = make(
    'table',
    { class: 'hg-handles__table hg-figures', 'aria-label': name },
    make('thead', { class: 'hg-dim' }, make('tr', {}, ...heads)),
    body,
  );
  const show = keyedRows<HandleGroup, HTMLTableRowElement>(
    body,
    (group) => `${group.class}\n${frameOf(group)}`,
    (group) => {
      const name = make('span', {}, visible(spokenName(group.function)));
      const place = make('span', {}, visible(placeOfFrame(frameOf(group))));
      const maker = make('span', { class: 'hg-handles__maker hg-dim' }, name, ' ', place);
      const row = make('tr', {}, make('th', { scope: 'row' }, visible(group.class || '(no name)'), ' ', maker));
      for (const _ of columns.slice(1)) row.append(make('td', {}));
      if (columns.includes('block')) row.lastElementChild?.append(blockButton(reveal));
      return row;
    },
    (row, group) => {
      const [title, handles, bytes] = row.children;
      if (title instanceof HTMLElement) title.title = visible(group.stack.join('\n'), { lines: true });
      if (handles !== undefined) setText(handles, formatCount(group.handles));
      const button = row.querySelector('button');
      if (button === null || bytes === undefined) return;
      const [first] = group.addresses;
      setText(bytes, formatBytes(group.size_bytes));
      button.hidden = first === undefined;
      button.value = String(first ?? 0);
      setText(button, formatAddress(first ?? 0));
    },
  );
  return {
    table,
    update(groups: readonly HandleGroup[]): void {
      table.hidden = groups.length === 0;
      show(groups);
    },
  };
}

/** To the first block; its value is the address. */
function blockButton(reveal: HandlesCallbacks['reveal']): HTMLButtonElement {
  const button = make('button', { type: 'button', class: 'hg-link', title: 'Show it on the map' });
  button.addEventListener('click', () => reveal(addr(Number(button.value)), 1));
  return button;
}

const frameOf = ({ function: name, file, line }: HandleGroup): string =>
  file === '' ? name : `${name}@${file}${line === 0 ? '' : `:${line}`}`;
