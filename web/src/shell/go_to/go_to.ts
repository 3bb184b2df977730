// Go to: an event, an address, or the next moment at which something happens: run until. The strip lies over the map's upper
// edge; Enter goes on, Shift Enter back, Escape closes it.

import './go_to.css';
import { type Addr, type Seq, seq } from '../../base/brand.ts';
import { formatCount } from '../../base/format.ts';
import { focusedBeside, iconButton, make, setText } from '../../dom/dom.ts';
import type { Found, Wanted } from '../../protocol/messages.ts';
import { meantBy, meantText } from './wanted_of.ts';

export interface GoToCallbacks {
  seek(event: number): void;
  /** Select what is at the address and show it. */
  reveal(address: Addr): void;
  find(wanted: Wanted, from: Seq, by: 1 | -1): Promise<Found>;
  /** The event that is shown. */
  at(): Seq;
  /** The block that is selected. */
  selected(): Addr | undefined;
  failed(error: unknown): void;
}

const kBackPath = 'M10.5 3 5.5 8l5 5z';
const kOnPath = 'M5.5 3l5 5-5 5z';
const kClosePath = 'M4 3l4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z';

export function createGoTo(parent: Element, callbacks: GoToCallbacks) {
  const field = make('input', {
    type: 'search',
    class: 'hg-input hg-go-to__field',
    'aria-label': 'Go to an event, an address, a size or words',
    placeholder: '4812 · 0x41a30 · >= 64 KiB · grows · fails · split',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const said = make('p', { class: 'hg-note hg-go-to__said', role: 'status' });
  let going = false;
  /** Where a search for the same text stopped without a find: it goes on from there. */
  let stopped: { readonly written: string; readonly by: 1 | -1; readonly from: Seq } | undefined;

  async function go(by: 1 | -1): Promise<void> {
    const meant = meantBy(field.value);
    if (meant === undefined || going) return;
    if (meant.go === 'event') {
      callbacks.seek(meant.event);
      return;
    }
    const { wanted } = meant;
    if (wanted.by === 'address') callbacks.reveal(wanted.address);
    going = true;
    const written = field.value;
    const from = stopped?.written === written && stopped.by === by ? stopped.from : callbacks.at();
    stopped = undefined;
    try {
      const { moment, lookedUpTo } = await callbacks.find(wanted, from, by);
      if (moment !== undefined) {
        callbacks.seek(moment);
        setText(said, `Event ${formatCount(moment - 1)}: ${meantText(meant)}`);
      } else if (lookedUpTo !== undefined) {
        stopped = { written, by, from: seq(lookedUpTo) };
        setText(said, `Nothing up to event ${formatCount(lookedUpTo)}; Enter looks on.`);
      } else setText(said, `Nothing ${by > 0 ? 'behind' : 'before'} this event: ${meantText(meant)}.`);
    } catch (error) {
      callbacks.failed(error);
    } finally {
      going = false;
    }
  }

  const untilRow = makeUntilRow(callbacks.selected, (text) => {
    if (text === undefined) {
      setText(said, 'Select a block first: then this goes to the next event that touches it.');
      return;
    }
    field.value = text;
    void go(1);
  });

  field.addEventListener('input', () => {
    const meant = meantBy(field.value);
    setText(
      said,
      meant === undefined ? '' : `Enter: ${meant.go === 'find' ? 'the next event of ' : ''}${meantText(meant)}`,
    );
  });
  const element = make(
    'search',
    { class: 'hg-go-to', hidden: true },
    field,
    iconButton(kBackPath, 'The one before (Shift Enter)', () => void go(-1)),
    iconButton(kOnPath, 'The next one (Enter)', () => void go(1)),
    iconButton(kClosePath, 'Close (Escape)', close),
    untilRow,
    said,
  );
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === field) void go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  let before: Element | null = null;
  parent.append(element);

  function close(): void {
    element.hidden = true;
    if (before instanceof HTMLElement) before.focus();
  }

  return {
    element,
    open(): void {
      if (element.hidden) before = focusedBeside(element);
      element.hidden = false;
      field.select();
      field.focus();
    },
    dispose(): void {
      element.remove();
    },
  };
}

/** Run until: each button says in words what the visitor would write; undefined: nothing is selected. */
function makeUntilRow(selected: () => Addr | undefined, write: (text: string | undefined) => void): HTMLElement {
  const until = (name: string, written: () => string | undefined) => {
    const button = make('button', { type: 'button', class: 'hg-button' }, name);
    button.addEventListener('click', () => write(written()));
    return button;
  };
  const hex = (address: Addr | undefined) => (address === undefined ? undefined : `0x${address.toString(16)}`);
  return make(
    'div',
    { class: 'hg-go-to__until', role: 'group', 'aria-label': 'Run until' },
    make('span', { class: 'hg-dim' }, 'Run until'),
    until('the heap grows', () => 'grows'),
    until('a call fails', () => 'fails'),
    until('the selection is touched', () => hex(selected())),
    until('64 KiB or more are asked', () => '>= 64 KiB'),
  );
}
