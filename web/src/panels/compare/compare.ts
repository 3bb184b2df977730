// Two moments side by side: the one that was kept, and the one that is shown. What is gone, what is in both, and what is new,
// each as a count, as bytes and by its largest blocks. What is new and stays new is where a leak is looked for.
//
//   ██████░░░░░░░░░░░░▒▒▒   gone ░ in both ▒ new, by bytes

import './compare.css';
import type { Addr } from '../../base/brand.ts';
import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import { keyedRows, make, setText } from '../../dom/dom.ts';
import type { ComparedBlock, CompareFrame } from './part.ts';

export interface CompareCallbacks {
  /** Keep the moment that is shown; undefined: keep none. */
  keep(event: number | undefined): void;
  seek(event: number): void;
  reveal(address: Addr, size: number): void;
}

/** As the bar has them. */
const kParts = [
  ['gone', 'Gone since'],
  ['both', 'In both'],
  ['added', 'New since'],
] as const;
/** What is new comes first: a leak is looked for there. */
const kListed = [2, 0, 1];

export function createCompare(parent: Element, callbacks: CompareCallbacks) {
  let at = 0;
  let kept: number | undefined;
  const button = (name: string, press: () => void) => {
    const element = make('button', { type: 'button', class: 'hg-button' }, name);
    element.addEventListener('click', press);
    return element;
  };
  const keep = button('Keep this moment', () => callbacks.keep(at));
  const back = button('Go to it', () => kept !== undefined && callbacks.seek(kept));
  const forget = button('Forget it', () => callbacks.keep(undefined));
  const said = make('p', { class: 'hg-note' });
  const bars = kParts.map(([part]) => make('i', { class: `hg-compare__bar hg-compare__bar--${part}` }));
  const bar = make('div', { class: 'hg-compare__bars', 'aria-hidden': 'true' }, ...bars);
  const parts = kParts.map(([part, title]) => createPart(part, title, callbacks));
  const body = make('div', { hidden: true }, bar, ...kListed.map((nth) => parts[nth]?.element ?? ''));
  const element = make(
    'section',
    { class: 'hg-compare', 'aria-label': 'Compare' },
    make('h2', { class: 'hg-heading' }, 'Two moments'),
    said,
    make('div', { class: 'hg-compare__buttons' }, keep, back, forget),
    body,
  );
  parent.append(element);

  return {
    element,
    update(frame: CompareFrame | undefined, since: number | undefined, shown: number): void {
      at = shown;
      kept = since;
      const compared = since !== undefined && frame?.since === since ? frame : undefined;
      back.hidden = forget.hidden = since === undefined;
      body.hidden = compared === undefined;
      setText(
        said,
        since === undefined
          ? 'Press it, then go to another moment: this then lists what was freed in between, what is still there and what is new.'
          : `Event ${formatCount(since)}, kept, and event ${formatCount(shown)}, shown.${compared === undefined ? '' : ` ${changeText(compared)}`}`,
      );
      if (compared === undefined) return;
      for (const [nth, [part]] of kParts.entries()) {
        parts[nth]?.update(compared[part].count, compared[part].bytes, compared[part].largest);
        const one = bars[nth];
        if (one !== undefined) one.style.flexGrow = String(compared[part].bytes);
      }
    },
    dispose(): void {
      element.remove();
    },
  };
}

/** What is in use more, or less, than at the moment that was kept. */
export function changeText({ gone, grown, added }: Pick<CompareFrame, 'gone' | 'grown' | 'added'>): string {
  const more = added.bytes + grown - gone.bytes;
  if (more === 0) return 'As much is in use as then.';
  return `${formatBytes(Math.abs(more))} ${more > 0 ? 'more' : 'less'} in use than then.`;
}

function createPart(part: (typeof kParts)[number][0], title: string, callbacks: CompareCallbacks) {
  const sum = make('span', { class: 'hg-heading__extra' });
  const list = make('ul', { class: 'hg-compare__list', 'aria-label': `${title}: the largest` });
  const show = keyedRows<ComparedBlock, HTMLLIElement>(
    list,
    (block) => `${block.address}/${block.born}`,
    ({ address, size, born }) => {
      const place = make('button', { type: 'button', class: 'hg-link' }, formatAddress(address));
      // A block that is gone is not on the map now: it leads to its birth.
      place.addEventListener('click', () => (part === 'gone' ? callbacks.seek(born) : callbacks.reveal(address, size)));
      return make(
        'li',
        {},
        place,
        make('span', { class: 'hg-compare__born' }, `born #${formatCount(born)}`),
        make('span', {}, formatBytes(size)),
      );
    },
    () => {},
  );
  const swatch = make('i', { class: `hg-compare__swatch hg-compare__bar--${part}`, 'aria-hidden': 'true' });
  const name = make('span', { class: 'hg-compare__name' }, swatch, title);
  const element = make('div', {}, make('h3', { class: 'hg-heading' }, name, sum), list);
  return {
    element,
    update(count: number, size: number, largest: readonly ComparedBlock[]): void {
      setText(sum, `${formatCount(count)} · ${formatBytes(size)}`);
      show(largest);
    },
  };
}
