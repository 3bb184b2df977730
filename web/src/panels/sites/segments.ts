// A choice of one among a few, as buttons beside each other.

import { make } from '../../dom/dom.ts';

/** The first is chosen. */
export function createSegments<Id extends string | number>(
  label: string,
  choices: readonly (readonly [Id, string])[],
  choose: (id: Id) => void,
) {
  const buttons = choices.map(([id, name]) => {
    const button = make('button', { type: 'button', class: 'hg-segment' }, name);
    button.addEventListener('click', () => {
      show(id);
      choose(id);
    });
    return { id, button };
  });
  function show(chosen: Id | undefined): void {
    for (const { id, button } of buttons) button.setAttribute('aria-pressed', String(id === chosen));
  }
  show(choices[0]?.[0]);
  return {
    element: make(
      'div',
      { class: 'hg-segments', role: 'group', 'aria-label': label },
      ...buttons.map(({ button }) => button),
    ),
    show,
  };
}
