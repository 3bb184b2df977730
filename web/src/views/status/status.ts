// Four numbers about the heap now, five where malloc caches chunks, and the badge: does walking the real heap find what the model says?
// The badge is never green on trust. It names the event at which the walk agreed.

import './status.css';
import { formatBytes, formatCount } from '../../base/format.ts';
import type { StatusFrame } from '../../protocol/frames.ts';
import { make, setText } from '../dom.ts';

export interface StatusCallbacks {
  /** Walk the real heap now. */
  verify(): void;
}

export type Badge = 'verified' | 'waiting' | 'mismatch' | 'lost';

/** What the badge says and in which colour; exported because the words are the contract. */
export function badgeOf(status: StatusFrame | undefined): { readonly badge: Badge; readonly text: string } {
  if (status === undefined) return { badge: 'waiting', text: 'waiting for events' };
  if (status.mismatch !== undefined) return { badge: 'mismatch', text: 'model ≠ heap' };
  if (status.lost > 0) return { badge: 'lost', text: `${formatCount(status.lost)} events lost` };
  if (status.verifiedAt === undefined) return { badge: 'waiting', text: 'not yet verified' };
  return { badge: 'verified', text: `model = heap, verified at ${formatCount(status.verifiedAt)}` };
}

const kMarks: Readonly<Record<Badge, string>> = { verified: '●', waiting: '○', mismatch: '✕', lost: '△' };

export function createStatus(parent: Element, callbacks: StatusCallbacks) {
  const number = (name: string, title: string) => {
    const value = make('dd', { class: 'hg-status__value' }, '–');
    const element = make('div', { class: 'hg-status__item', title }, make('dt', {}, name), value);
    return { element, value };
  };
  const inUse = number('in use', 'Bytes in chunks in use, headers included');
  const cached = number('cached', 'Bytes in chunks that the program freed and malloc caches');
  const footprint = number('footprint', 'Bytes the heaps hold from the platform');
  const largest = number('largest free', 'The largest free chunk of the chosen heap');
  const fragmentation = number('fragmentation', '1 − largest free ÷ all free: 0 is one piece');
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
    update(status: StatusFrame | undefined): void {
      const { badge: kind, text } = badgeOf(status);
      badge.dataset['badge'] = kind;
      badge.title =
        status?.mismatch !== undefined
          ? `The walk of the real heap differs from the model: ${status.mismatch}`
          : 'The real heap was walked and compared with the model. Press to walk it again now.';
      setText(mark, kMarks[kind]);
      setText(words, text);
      if (status === undefined) return;
      setText(inUse.value, formatBytes(status.inUse));
      if (status.malloc !== cached.element.isConnected) {
        if (status.malloc) inUse.element.after(cached.element);
        else cached.element.remove();
      }
      element.classList.toggle('hg-status--malloc', status.malloc);
      setText(cached.value, formatBytes(status.cached));
      setText(footprint.value, formatBytes(status.footprint));
      setText(largest.value, formatBytes(status.largestFree));
      setText(fragmentation.value, status.fragmentation.toFixed(2));
    },
    destroy(): void {
      element.remove();
    },
  };
}
