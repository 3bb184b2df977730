// One chunk as it sees itself: its header word bit by bit, its neighbours and free-list links, the node and block an
// address lies in, the events of its life, its bytes while the heap is live. Links select, events seek.

import './inspector.css';
import { type Addr, addr, type Seq } from '../../base/brand.ts';
import { formatAddress, formatCount } from '../../base/format.ts';
import { labelOfFrame, ownFrames } from '../../base/frames.ts';
import { keyedRows, make, setText } from '../../dom/dom.ts';
import type { BlockNames } from '../../map/pool_names.ts';
import {
  bytesLines,
  hasNoHeader,
  headerParts,
  kindText,
  poolRows,
  type Row,
  rowsOf,
  stateLine,
} from './inspector_words.ts';
import type { EventLine, InspectFrame } from './part.ts';

export interface InspectorCallbacks {
  select(address: Addr): void;
  seek(seq: Seq): void;
}

const kHint = 'Select a chunk on the map: click it, or use the arrow keys there.';

export function createInspector(parent: Element, callbacks: InspectorCallbacks) {
  const kind = make('h2', { class: 'hg-heading' }, 'Chunk');
  const hint = make('p', { class: 'hg-note' }, kHint);
  const address = make('p', { class: 'hg-inspector__address' });
  const state = make('p', { class: 'hg-inspector__state' });
  const word = make('p', { class: 'hg-inspector__word' });
  const from = make('p', { class: 'hg-inspector__from' });
  const rows = make('dl', { class: 'hg-inspector__rows' });
  const poolList = make('dl', { class: 'hg-inspector__rows' });
  const pool = part('Pool block', poolList);
  const chunkTitle = make('h2', { class: 'hg-heading hg-inspector__part' }, 'Its chunk');
  const stackList = make('ol', { class: 'hg-inspector__stack' });
  const stack = part('Allocated by', stackList);
  const lifeList = make('ol', { class: 'hg-inspector__life hg-list hg-scrolls' });
  const life = part('Life', lifeList);
  const bytesText = make('pre', {
    class: 'hg-inspector__bytes',
    role: 'group',
    tabindex: 0,
    'aria-label': 'Bytes of the chunk',
  });
  const bytes = part('Bytes in memory', bytesText);
  const body = make('div', { hidden: true }, address, state, pool, chunkTitle, word, from, rows, stack, life, bytes);
  const element = make('section', { class: 'hg-inspector', 'aria-label': 'Selected chunk' }, kind, hint, body);
  parent.append(element);

  const showRows = rowShower(rows, callbacks);
  const showPool = rowShower(poolList, callbacks);
  const showLife = lifeShower(lifeList, callbacks);
  const showStack = stackShower(stackList);
  const showBytes = bytesShower(bytesText);
  let shownLife = '';

  function show(frame: InspectFrame, names: BlockNames): void {
    setText(kind, kindText(frame));
    setText(address, formatAddress(frame.node?.address ?? (frame.what === 'chunk' ? frame.chunk : frame.asked)));
    setText(state, stateLine(frame, names));
    const known = frame.what === 'chunk' || frame.what === 'node';
    const hasHeader = known && !hasNoHeader(frame);
    word.hidden = !hasHeader;
    from.hidden = !hasHeader;
    if (hasHeader) showWord(word, from, frame);
    showRows(rowsOf(frame));
    const inPool = poolRows(frame);
    pool.hidden = inPool.length === 0;
    chunkTitle.hidden = pool.hidden;
    showPool(inPool);
    stack.hidden = frame.stack === undefined;
    if (frame.stack !== undefined) showStack(frame.stack);
    life.hidden = frame.life.length === 0;
    showLife(frame.life);
    // The newest event stands at the end: it is what the visitor came for, unless they scrolled and nothing is new.
    const newest = `${frame.chunk} ${frame.life.at(-1)?.seq}`;
    if (newest !== shownLife) lifeList.scrollTop = lifeList.scrollHeight;
    shownLife = newest;
    bytes.hidden = frame.bytes === undefined;
    if (frame.bytes !== undefined) showBytes(frame.bytes, frame);
  }

  return {
    element,
    update(frame: InspectFrame | undefined, names: BlockNames): void {
      hint.hidden = frame !== undefined;
      body.hidden = frame === undefined;
      if (frame === undefined) setText(kind, 'Chunk');
      else show(frame, names);
    },
    dispose(): void {
      element.remove();
    },
  };
}

function part(title: string, ...children: readonly HTMLElement[]): HTMLElement {
  return make('div', { class: 'hg-inspector__part' }, make('h2', { class: 'hg-heading' }, title), ...children);
}

/** Keeps a description list in step with rows; a row with a link is a button. */
function rowShower(list: HTMLElement, callbacks: InspectorCallbacks): (rows: readonly Row[]) => void {
  let links = new Map<string, number>();
  const show = keyedRows<Row & { readonly term: boolean }, HTMLElement>(
    list,
    (row) => `${row.term} ${row.name} ${row.link !== undefined}`,
    (row) => {
      if (row.term) return make('dt', {}, row.name);
      if (row.link === undefined) return make('dd', {});
      const button = make('button', { type: 'button', class: 'hg-inspector__link' });
      button.addEventListener('click', () => {
        const link = links.get(row.name);
        if (link !== undefined) callbacks.select(addr(link));
      });
      return make('dd', {}, button);
    },
    (element, row) => {
      if (!row.term) setText(element.firstElementChild ?? element, row.text);
    },
  );
  return (rows) => {
    links = new Map(rows.flatMap((row) => (row.link === undefined ? [] : [[row.name, row.link] as const])));
    show(
      rows.flatMap((row) => [
        { ...row, term: true },
        { ...row, term: false },
      ]),
    );
  };
}

function lifeShower(list: HTMLElement, { seek }: InspectorCallbacks): (lines: readonly EventLine[]) => void {
  return keyedRows<EventLine, HTMLLIElement>(
    list,
    (line) => line.seq,
    (line) => {
      const button = make(
        'button',
        {
          type: 'button',
          class: 'hg-inspector__event hg-row hg-row--figures hg-row--event',
          title: `Go to event ${formatCount(line.seq)}`,
        },
        make('span', { class: 'hg-inspector__seq' }, `#${formatCount(line.seq)}`),
        make('span', {}, line.text),
      );
      button.addEventListener('click', () => seek(line.seq));
      return make('li', {}, button);
    },
    () => {},
  );
}

function stackShower(list: HTMLElement): (frames: readonly string[]) => void {
  let shown = '';
  return (frames) => {
    const text = frames.join('\n');
    if (text === shown) return;
    shown = text;
    const own = ownFrames(frames);
    const folded = frames.slice(0, frames.length - own.length);
    list.replaceChildren(...own.map(frameItem), ...(folded.length === 0 ? [] : [foldedItem(folded)]));
  };
}

/** load load.cpp:12 */
const frameItem = (frame: string): HTMLElement =>
  make(
    'li',
    { title: frame },
    labelOfFrame(frame).name,
    ' ',
    make('span', { class: 'hg-dim' }, labelOfFrame(frame).place),
  );

/** What the program's own function called, down to the allocator. */
const foldedItem = (frames: readonly string[]): HTMLElement =>
  make(
    'li',
    {},
    make(
      'details',
      {},
      make(
        'summary',
        { class: 'hg-dim' },
        `by way of ${frames.length} library ${frames.length === 1 ? 'frame' : 'frames'}`,
      ),
      make('ol', {}, ...frames.map(frameItem)),
    ),
  );

function showWord(word: HTMLElement, from: HTMLElement, frame: InspectFrame): void {
  const parts = headerParts(frame);
  while (word.childElementCount < parts.length) word.append(make('span', {}));
  parts.forEach((each, index) => {
    const span = word.children[index];
    if (span === undefined) return;
    setText(span, each.text);
    span.setAttribute('title', each.title);
    span.className = each.kind === 'size' ? '' : `hg-inspector__bit--${each.kind}`;
  });
  const memory = frame.headerFrom === 'memory';
  setText(from, memory ? 'header word read from memory' : 'header word, as the events give it');
  from.classList.toggle('hg-inspector__from--memory', memory);
}

function bytesShower(text: HTMLElement): (values: Uint8Array, frame: InspectFrame) => void {
  let shown = '';
  return (values, { chunk, size, usable }) => {
    const name = `${chunk} ${values.join()}`;
    if (name === shown) return;
    shown = name;
    const wordSize = size - usable;
    text.replaceChildren(
      ...bytesLines(chunk, values).flatMap((line, index) => {
        const header = index === 0 ? line.hex.slice(0, wordSize * 3 - 1) : '';
        return [
          `${line.address}  `,
          make('i', {}, header),
          make('b', {}, line.hex.slice(header.length).padEnd(23 - header.length)),
          `  ${line.text}\n`,
        ];
      }),
    );
  };
}
