// The help dialog: every key, the switch for single-letter keys, and what the badge means.

import { make } from '../dom/dom.ts';
import { kMapKeysText } from '../map/map_keys.ts';
import { kKeyTable } from './keys.ts';
import { kTimelineText } from './timeline/timeline.ts';

export function createHelp(parent: Element, toggle: (on: boolean) => void) {
  const box = make('input', { type: 'checkbox' });
  box.addEventListener('change', () => toggle(box.checked));
  const close = make('button', { type: 'button', class: 'hg-button' }, 'Close');
  const rows = (pairs: readonly (readonly [string, string])[]) =>
    pairs.flatMap(([shown, text]) => [make('dt', {}, make('kbd', {}, shown)), make('dd', {}, text)]);
  const element = make(
    'dialog',
    { class: 'hg-help', 'aria-labelledby': 'hg-help-title' },
    make('h2', { class: 'hg-help__title', id: 'hg-help-title', tabindex: -1, autofocus: '' }, 'Keys'), // read from the top
    make(
      'div',
      { class: 'hg-help__columns' },
      make(
        'div',
        {},
        make('h3', { class: 'hg-heading' }, 'Time'),
        make('dl', {}, ...rows(kKeyTable.map((row) => [row.shown, row.text] as const))),
      ),
      make(
        'div',
        {},
        make('h3', { class: 'hg-heading' }, 'Time line'),
        make('p', { class: 'hg-note' }, kTimelineText),
        make('h3', { class: 'hg-heading' }, 'Map, when it has the focus'),
        make('p', { class: 'hg-note' }, kMapKeysText),
      ),
    ),
    make('label', { class: 'hg-check' }, box, 'Single-letter keys are on'),
    make(
      'p',
      { class: 'hg-note' },
      'The badge is green when a walk of the real heap in WebAssembly memory, chunk by chunk and list by list, agreed with the model built from the events. Press it to walk now. The address bar always contains the moment you see.',
    ),
    close,
  );
  close.addEventListener('click', () => element.close());
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close(); // on the ground beside it
  });
  parent.append(element);
  return {
    element,
    open(shortcuts: boolean): void {
      box.checked = shortcuts;
      if (!element.open) element.showModal();
    },
  };
}
