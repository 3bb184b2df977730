// The malloc front: which freed chunks wait for reuse, by size and by who holds them, and when they last went to the heap.

import { formatBytes, formatCount } from '../../base/format.ts';
import type { QuickListsFrame } from '../../protocol/frames.ts';
import { make, setText } from '../dom.ts';
import { createMatrixGrid } from './matrix_grid.ts';
import { flushText, quickMatrixOf, quickMoveText } from './quick_matrix.ts';

export function createQuickLists(parent: Element) {
  const sum = make('span', { class: 'hg-heading__extra' });
  const full = make('div', {});
  const grid = createMatrixGrid(full, { name: 'Quick lists by size', rows: 'chunk' });
  const nothing = make('p', { class: 'hg-note' }, 'Nothing waits at this moment.');
  const left = make('p', { class: 'hg-note' });
  const moved = make('p', { class: 'hg-caches__moved' });
  const flushed = make('p', { class: 'hg-caches__flushed' });
  const note = make(
    'p',
    { class: 'hg-note' },
    'Each row is one quick list: chunks that the program freed and that wait for the next request of their size. To their neighbours they are in use. Before memory grows they go to the heap, which joins them.',
  );
  const element = make(
    'section',
    { class: 'hg-caches hg-caches--quick', hidden: true },
    make('h2', { class: 'hg-heading' }, 'Quick lists', sum),
    flushed,
    full,
    nothing,
    left,
    moved,
    note,
  );
  parent.append(element);

  return {
    /** undefined: this heap has no malloc front. */
    update(frame: QuickListsFrame | undefined): void {
      element.hidden = frame === undefined;
      if (frame === undefined) return;
      const matrix = quickMatrixOf(frame);
      const chunks = frame.chunks === 1 ? '1 chunk' : `${formatCount(frame.chunks)} chunks`;
      setText(sum, `${chunks}, ${formatBytes(frame.bytes)}`);
      full.hidden = matrix.rows.length === 0;
      nothing.hidden = !full.hidden;
      setText(left, matrix.left === 0 ? '' : `And ${formatCount(matrix.left)} lists more, with fewer bytes each.`);
      left.hidden = matrix.left === 0;
      const move = quickMoveText(frame);
      setText(moved, move);
      moved.hidden = move === '';
      setText(flushed, flushText(frame));
      grid.update(matrix);
    },
    destroy(): void {
      grid.destroy();
      element.remove();
    },
  };
}
