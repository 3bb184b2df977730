// The panel of caches: the cache lists of malloc, and where the nodes of each size class of the small front are.
// Each part is a matrix, one row a size, one column a place; the last chunks or nodes that moved are an arrow, and a
// sentence below.

import { formatCount } from '../../base/format.ts';
import { make, setText } from '../../dom/dom.ts';
import { createCacheLists } from './cache_lists.ts';
import { lossText, matrixOf, moveText } from './cache_matrix.ts';
import { createMatrixGrid } from './matrix_grid.ts';
import type { CachesFrame } from './part.ts';

export interface CachesCallbacks {
  /** The class of this pool: its spans are shown among the pools. */
  selectPool(pool: number): void;
}

export function createCaches(parent: Element, callbacks: CachesCallbacks) {
  const lists = createCacheLists(parent);
  const sum = make('span', { class: 'hg-heading__extra' });
  const moved = make('p', { class: 'hg-caches__moved' });
  const lost = make('p', { class: 'hg-caches__lost', hidden: true });
  const note = make(
    'p',
    { class: 'hg-note' },
    'Each row is one size class; its cells add up to all blocks of the class. A thread takes from its own cache without a lock; a batch moves when the cache is empty or too full.',
  );
  const none = make(
    'p',
    { class: 'hg-note' },
    'No size class has a span at this moment. The small front makes one at the first small allocation: play “Thread caches” among the scenarios, or allocate as a thread in the Operate panel.',
  );
  const full = make('div', {});
  const grid = createMatrixGrid(full, {
    name: 'Thread caches by size class',
    rows: 'class',
    choose: (pool) => callbacks.selectPool(pool),
  });
  full.append(lost, moved, note);
  const element = make(
    'section',
    { class: 'hg-caches hg-caches--classes' },
    make('h2', { class: 'hg-heading' }, 'Thread caches', sum),
    full,
    none,
  );
  parent.append(element);

  return {
    element,
    /** undefined: this moment has not been asked for yet. */
    update(frame: CachesFrame | undefined): void {
      if (frame === undefined) return;
      lists.update(frame.cacheLists);
      const empty = frame.classes.length === 0;
      element.hidden = empty && frame.cacheLists !== undefined; // only malloc has something to show
      full.hidden = empty;
      none.hidden = !empty;
      const more = frame.moreThreads === 0 ? '' : `; ${formatCount(frame.moreThreads)} more threads are not listed`;
      setText(sum, empty ? '' : `thread ${formatCount(frame.acting)} acts${more}`);
      setText(moved, moveText(frame));
      const loss = lossText(frame);
      lost.hidden = loss === '';
      setText(lost, loss);
      grid.update(matrixOf(frame));
    },
    dispose(): void {
      lists.dispose();
      grid.dispose();
      element.remove();
    },
  };
}
