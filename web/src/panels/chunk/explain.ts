// Why the last operation ended where it did: a few sentences with the deciding number in amber, then its events, each a
// way to that moment.

import './explain.css';
import type { Seq } from '../../base/brand.ts';
import { formatCount } from '../../base/format.ts';
import { keyedRows, make, setText } from '../../dom/dom.ts';
import type { EventLine, ExplainFrame } from './part.ts';

export interface ExplainCallbacks {
  seek(seq: Seq): void;
}

/** Farther from one moment to the next is a jump, unless the page plays: what stood before it says nothing of the height that is needed now. */
const kJump = 1000;
/** Deeper nesting is not indented further. */
const kDeepest = 4;

export function createExplain(parent: Element, callbacks: ExplainCallbacks) {
  const title = make('p', { class: 'hg-explain__title' });
  const prose = make('p', {});
  const card = make('div', { class: 'hg-explain__card' }, title, prose);
  const says = make('div', {}, card); // as high as its tallest card
  const list = make('ol', { class: 'hg-explain__events hg-list hg-scrolls', 'aria-label': 'Events of the operation' });
  const hint = make(
    'p',
    { class: 'hg-note' },
    'Step to an event, or pause: the operation around it is explained here.',
  );
  const element = make(
    'section',
    { class: 'hg-explain' },
    make('h2', { class: 'hg-heading' }, 'Explain'),
    hint,
    says,
    list,
  );
  parent.append(element);
  let shownProse = '';
  let shownCurrent: Seq | undefined;
  let shownAt = 0;

  const showLines = keyedRows<EventLine & { readonly current: boolean }, HTMLLIElement>(
    list,
    (line) => line.seq,
    (line) => {
      const text = make(
        'span',
        { style: `padding-left: ${Math.min(line.depth, kDeepest) * 10}px` },
        ...emphasized(line),
      );
      const button = make(
        'button',
        {
          type: 'button',
          class: 'hg-explain__event hg-row hg-row--figures hg-row--event',
          title: `Go to event ${formatCount(line.seq)}`,
        },
        make('span', {}, `#${formatCount(line.seq)}`),
        text,
      );
      button.addEventListener('click', () => callbacks.seek(line.seq));
      return make('li', {}, button);
    },
    (item, line) => {
      const button = item.firstElementChild;
      if (button === null || (button.getAttribute('aria-current') === 'step') === line.current) return;
      if (line.current) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    },
  );

  const inSight = keepCurrentInSight(list);
  const tallest = keepTallest(says, card);
  list.addEventListener('scroll', () => markScrolled(list), { passive: true });

  return {
    element,
    /** current: the moment, whose line is lit; undefined: none is. */
    update(frame: ExplainFrame | undefined, current: Seq | undefined, isPlaying: boolean): void {
      hint.hidden = frame !== undefined;
      says.hidden = frame === undefined;
      card.hidden = frame === undefined;
      list.hidden = frame === undefined;
      setText(title, frame === undefined ? '' : titleAt(frame, current));
      if (frame !== undefined && !isPlaying && Math.abs(frame.at - shownAt) > kJump) tallest.forget();
      shownAt = frame?.at ?? shownAt;
      const text = JSON.stringify(frame?.prose);
      if (frame !== undefined && text !== shownProse) {
        prose.replaceChildren(...frame.prose.map((part) => (part.strong ? make('strong', {}, part.text) : part.text)));
      }
      shownProse = text ?? '';
      showLines((frame?.lines ?? []).map((line) => ({ ...line, current: line.seq === current })));
      if (current === shownCurrent) return;
      shownCurrent = current;
      inSight.soon();
    },
    dispose(): void {
      inSight.dispose();
      tallest.observer.disconnect();
      element.remove();
    },
  };
}

/** From one operation to the next what stands below does not move up and down: the room stays that a longer text needed. */
function keepTallest(around: HTMLElement, card: HTMLElement) {
  let most = 0;
  let width = 0;
  const observer = new ResizeObserver(() => {
    if (card.offsetHeight === 0) return; // hidden
    if (around.clientWidth !== width) most = 0;
    width = around.clientWidth;
    most = Math.max(most, card.offsetHeight);
    // In the next frame: what stands below is observed, too, and may not change while observers are called.
    requestAnimationFrame(() => {
      around.style.minHeight = `${most}px`;
    });
  });
  observer.observe(card);
  return {
    observer,
    forget(): void {
      most = 0;
      around.style.minHeight = '';
    },
  };
}

/** An explanation that has stayed from another moment says so. */
export const titleAt = ({ at, title }: Pick<ExplainFrame, 'at' | 'title'>, shown: Seq | undefined): string =>
  at === shown ? title : `at event ${formatCount(at)}: ${title}`;

function emphasized(line: EventLine): readonly (string | HTMLElement)[] {
  if (line.emphasis === undefined) return [line.text];
  const [from, to] = line.emphasis;
  return [line.text.slice(0, from), make('strong', {}, line.text.slice(from, to)), line.text.slice(to)];
}

/** The lit line of the list: where that has less room now, and when another one is lit. */
function keepCurrentInSight(list: HTMLElement) {
  let due = 0;
  const show = (): void => {
    due = 0;
    const item = list.querySelector<HTMLElement>('li:has([aria-current])');
    if (item !== null) keepInSight(list, item);
  };
  const observer = new ResizeObserver(show);
  observer.observe(list);
  return {
    /** In the next frame, when all has its place: asked for at once, the whole page would be laid out twice. */
    soon(): void {
      due ||= requestAnimationFrame(show);
    },
    dispose(): void {
      cancelAnimationFrame(due);
      observer.disconnect();
    },
  };
}

/** Scrolls the list alone; scrollIntoView would move the page too. */
function keepInSight(list: HTMLElement, item: HTMLElement): void {
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top + item.offsetHeight - list.clientHeight;
  }
  markScrolled(list);
}

const markScrolled = (list: HTMLElement): void => {
  list.classList.toggle('hg-explain__events--scrolled', list.scrollTop > 0);
};
