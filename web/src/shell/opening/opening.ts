// How far the opening of a large trace is, and the button that gives it up. Hidden while nothing is being opened.

import './opening.css';
import { formatBytes, formatCount } from '../../base/format.ts';
import { make, setText } from '../../dom/dom.ts';

export interface OpeningState {
  readonly name: string;
  readonly read: number; // bytes
  readonly of: number;
  readonly events: number;
}

export interface OpeningCallbacks {
  cancel(): void;
}

export function createOpening(parent: Element, callbacks: OpeningCallbacks) {
  const title = make('p', { class: 'hg-opening__title', role: 'status' }); // said once, and not again with each figure
  const figures = make('p', { class: 'hg-opening__figures' });
  const bar = make('progress', { class: 'hg-opening__bar', 'aria-label': 'Read of the file', max: 1, value: 0 });
  const cancel = make('button', { type: 'button', class: 'hg-button' }, 'Cancel');
  cancel.addEventListener('click', () => callbacks.cancel());
  const element = make('div', { class: 'hg-opening', hidden: true }, title, bar, figures, cancel);
  parent.append(element);

  return {
    element,
    update(state: OpeningState | undefined): void {
      element.hidden = state === undefined;
      setText(title, state === undefined ? '' : `Opening ${state.name}`);
      if (state === undefined) return;
      bar.value = state.of === 0 ? 0 : state.read / state.of;
      const share = `${Math.floor(bar.value * 100)} % of ${formatBytes(state.of)}`;
      setText(figures, `${share}, ${formatCount(state.events)} events`);
    },
    dispose(): void {
      element.remove();
    },
  };
}
