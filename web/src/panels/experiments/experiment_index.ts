// The experiments by the document that measured them first; each row says how far it is here.

import { make, setText } from '../../dom/dom.ts';
import type { ExperimentId } from '../../protocol/experiments.ts';
import { kExperimentGroups } from './experiment_list.ts';
import { type ExperimentsState, listStatus } from './run_state.ts';

export function createExperimentIndex(choose: (id: ExperimentId) => void) {
  const rows = new Map<ExperimentId, { readonly button: HTMLButtonElement; readonly status: HTMLElement }>();
  const element = make(
    'div',
    { class: 'hg-experiments__list' },
    make(
      'p',
      { class: 'hg-note' },
      'What five documents measured, measured again: in this browser, on this allocator, beside the documents’ figures.',
    ),
    ...kExperimentGroups.map(({ letter, title, experiments }) =>
      make(
        'section',
        { class: 'hg-experiments__group' },
        make('h3', { class: 'hg-experiments__document' }, make('b', {}, letter), title),
        make('ul', {}, ...experiments.map(({ id, name }) => make('li', {}, listRow(id, name)))),
      ),
    ),
  );

  function listRow(id: ExperimentId, name: string): HTMLButtonElement {
    const status = make('span', { class: 'hg-experiments__status' });
    const button = make(
      'button',
      { type: 'button', class: 'hg-experiments__row', 'data-experiment': id },
      make('span', { class: 'hg-experiments__id' }, id),
      make('span', {}, name),
      status,
    );
    button.addEventListener('click', () => choose(id));
    rows.set(id, { button, status });
    return button;
  }

  return {
    element,
    button: (id: ExperimentId): HTMLElement | undefined => rows.get(id)?.button,
    update(state: ExperimentsState): void {
      for (const [id, { status }] of rows) setText(status, listStatus(state, id));
    },
  };
}
