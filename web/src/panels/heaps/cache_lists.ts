// malloc: which chunks are cached, by size and by who has them, and when they last went to the heap.

import { formatBytes, formatCount } from '../../base/format.ts';
import { make, setText } from '../../dom/dom.ts';
import { cacheListMatrixOf, cacheListMoveText, flushText, slabsText } from './cache_list_matrix.ts';
import { createMatrixGrid } from './matrix_grid.ts';
import type { CacheListsFrame } from './part.ts';

export function createCacheLists(parent: Element) {
  const sum = make('span', { class: 'hg-heading__extra' });
  const full = make('div', {});
  const grid = createMatrixGrid(full, { name: 'Cache lists by size', rows: 'chunk' });
  const nothing = make('p', { class: 'hg-note' }, 'Nothing is cached at this moment.');
  const left = make('p', { class: 'hg-note' });
  const slabs = make('p', { class: 'hg-note' });
  const moved = make('p', { class: 'hg-caches__moved' });
  const flushed = make('p', { class: 'hg-caches__flushed' });
  const note = make(
    'p',
    { class: 'hg-note' },
    'Each row is one cache list: freed chunks for the next request of their size class. To their neighbours they are in use. A flush gives them to the heap, which joins them: before memory grows, and when the program asks for other sizes. Rows in slabs are free small blocks, of one size in each slab and without headers. A flush gives back each slab that has no block in use.',
  );
  const element = make(
    'section',
    { class: 'hg-caches hg-caches--lists', hidden: true },
    make('h2', { class: 'hg-heading' }, 'Cache lists', sum),
    flushed,
    full,
    nothing,
    left,
    slabs,
    moved,
    note,
  );
  parent.append(element);

  return {
    /** undefined: malloc does not work on this heap. */
    update(frame: CacheListsFrame | undefined): void {
      element.hidden = frame === undefined;
      if (frame === undefined) return;
      const matrix = cacheListMatrixOf(frame);
      const chunks = frame.chunks === 1 ? '1 chunk' : `${formatCount(frame.chunks)} chunks`;
      setText(sum, `${chunks}, ${formatBytes(frame.bytes)}`);
      full.hidden = matrix.rows.length === 0;
      nothing.hidden = !full.hidden;
      setText(left, matrix.left === 0 ? '' : `And ${formatCount(matrix.left)} lists more, with fewer bytes each.`);
      left.hidden = matrix.left === 0;
      const slabText = slabsText(frame);
      setText(slabs, slabText);
      slabs.hidden = slabText === '';
      const move = cacheListMoveText(frame);
      setText(moved, move);
      moved.hidden = move === '';
      setText(flushed, flushText(frame));
      grid.update(matrix);
    },
    dispose(): void {
      grid.dispose();
      element.remove();
    },
  };
}
