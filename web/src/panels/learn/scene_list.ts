// The list of all scenes: number, title and idea of each.

import { keyedRows, make } from '../../dom/dom.ts';

export interface SceneRow {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly summary: string;
}

export function createSceneList(choose: (scene: string) => void) {
  const list = make('ul', { class: 'hg-scene__list hg-list', 'aria-label': 'Scenes' });
  const showList = keyedRows<SceneRow, HTMLLIElement>(
    list,
    (row) => row.id,
    (row) => {
      const open = make(
        'button',
        { type: 'button', class: 'hg-scene__row hg-row', 'data-scene': row.id },
        make('span', {}, String(row.number)),
        make('strong', {}, row.title),
        make('small', {}, row.summary),
      );
      open.addEventListener('click', () => choose(row.id));
      return make('li', {}, open);
    },
    () => {},
  );
  const all = make(
    'section',
    {},
    make('h2', { class: 'hg-heading' }, 'Scenes'),
    make('p', { class: 'hg-note' }, 'Each scene shows one idea with a real heap. It asks first, and the heap answers.'),
    list,
  );
  return { all, showList };
}
