// Four numbers about the chosen heap now, five where malloc caches chunks, and the badge: does walking the real heap find what the model says?
// Each number leads to its question: who holds what is in use, why the footprint grew, what pins the largest hole.
// The badge is never green on trust. It names the event at which the walk agreed.

import './status.css';
import { formatBytes } from '../../base/format.ts';
import { make, setText } from '../../dom/dom.ts';
import type { Question } from '../../protocol/answers.ts';
import type { StatusFrame } from '../../protocol/frames.ts';
import { badgeOf, kBadgeMarks } from './badge.ts';
import { freeTexts, kNotKnown } from './free_texts.ts';
import { returnableText } from './returnable_text.ts';

const kFootprint = 'Bytes the chosen heap holds from the platform; press: why did it grow?';
const kLargest = 'The largest free chunk of the chosen heap; press: what pins the largest hole?';
const kFragmentation = '1 − largest free ÷ all free: 0 is one piece; press: what pins the largest hole?';

/** Of all heaps: beside the footprint of one of several it says so. */
function returnableOf(status: StatusFrame): string {
  const text = returnableText(status);
  return text === '' || status.heaps.length < 2 ? text : `Of all heaps, ${text}`;
}

export interface StatusCallbacks {
  /** Walk the real heap now. */
  verify(): void;
  ask(question: Question): void;
}

export function createStatus(parent: Element, callbacks: StatusCallbacks) {
  const number = (name: string, title: string, question: Question) => {
    const value = make('button', { type: 'button', class: 'hg-status__value' }, '–');
    value.addEventListener('click', () => callbacks.ask(question));
    const element = make('div', { class: 'hg-status__item', title }, make('dt', {}, name), make('dd', {}, value));
    return { element, value };
  };
  const inUse = number(
    'in use',
    'Bytes in chunks in use of the chosen heap, headers included; press: who holds them?',
    { ask: 'holds' },
  );
  const cached = number(
    'cached',
    'Bytes that malloc caches: chunks that the program freed, and slabs’ own words; press: who holds the rest?',
    {
      ask: 'holds',
    },
  );
  const footprint = number('footprint', kFootprint, { ask: 'grew' });
  const largest = number('largest free', kLargest, { ask: 'pins' });
  const fragmentation = number('fragmentation', kFragmentation, { ask: 'pins' });
  const mark = make('span', { class: 'hg-badge__mark', 'aria-hidden': 'true' }, '○');
  const words = make('span', { class: 'hg-badge__text' }, 'waiting for events');
  const badge = make('button', { type: 'button', class: 'hg-badge', 'data-badge': 'waiting' }, mark, words);
  badge.addEventListener('click', () => callbacks.verify());

  const numbers = make(
    'dl',
    { class: 'hg-status__numbers' },
    inUse.element,
    footprint.element,
    largest.element,
    fragmentation.element,
  );
  const element = make('div', { class: 'hg-status' }, numbers, badge);
  parent.append(element);

  return {
    element,
    /** chosen 0: the first heap, as of the choice beside it. */
    update(status: StatusFrame | undefined, chosen: number): void {
      const { badge: kind, text } = badgeOf(status);
      badge.dataset['badge'] = kind;
      badge.title =
        status?.damage !== undefined || status?.broken
          ? `${status.damage ?? status.mismatch}`
          : status?.mismatch !== undefined
            ? `The walk of the real heap differs from the model: ${status.mismatch}`
            : kind === 'waiting' && status?.freeLists === false
              ? "The program's own allocator cannot be walked: what is shown comes from its calls alone."
              : kind === 'waiting' && status?.live === false
                ? 'The trace has no walk of the heap up to here that the model could be compared with.'
                : kind === 'waiting'
                  ? 'The real heap has not been walked yet. Press to walk it now.'
                  : 'The real heap was walked and compared with the model. Press to walk it again now.';
      setText(mark, kBadgeMarks[kind]);
      setText(words, text);
      if (status === undefined) return;
      const heap = status.heaps.find(({ id }) => id === chosen) ?? status.heaps[0];
      setText(inUse.value, formatBytes(heap?.inUse ?? 0));
      if (status.malloc !== cached.element.isConnected) {
        if (status.malloc) inUse.element.after(cached.element);
        else cached.element.remove();
      }
      element.classList.toggle('hg-status--malloc', status.malloc);
      setText(cached.value, formatBytes(heap?.cached ?? 0));
      setText(footprint.value, formatBytes(heap?.footprint ?? 0));
      footprint.element.title = [kFootprint, returnableOf(status)].filter(Boolean).join('. ');
      const free = freeTexts(status);
      setText(largest.value, free.largest);
      setText(fragmentation.value, free.fragmentation);
      largest.element.title = status.freeLists ? kLargest : kNotKnown;
      fragmentation.element.title = status.freeLists ? kFragmentation : kNotKnown;
    },
    dispose(): void {
      element.remove();
    },
  };
}
