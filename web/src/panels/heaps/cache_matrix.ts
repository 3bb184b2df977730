// Thread caches and central lists as a matrix: pure, so that it can be tested without a page.
//
//            in use  central │  1    2    3          a row    a size class that has nodes
//     64 B     120      32   │  16    0    4         a column where they are
//    128 B      …                                    a cell   how many, and which share of the class
//
//  M1  The cells of a row add up to all nodes of the class: no node is shown twice, none is missing.

import { formatBytes, formatCount } from '../../base/format.ts';
import { type Matrix, type MatrixCell, type MatrixColumn, type MatrixRow, shortCount } from './matrix.ts';
import type { CacheClassRow, CachesFrame } from './part.ts';

export function matrixOf(frame: CachesFrame): Matrix {
  const columns: MatrixColumn[] = [
    { key: 'inUse', kind: 'inUse', title: 'in use', name: 'in use', acting: false },
    { key: 'central', kind: 'central', title: 'central', name: 'central list', acting: false },
    ...Array.from(frame.threads, (thread): MatrixColumn => {
      const acting = thread === frame.acting;
      return { key: `thread ${thread}`, kind: 'cache', title: String(thread), name: `thread ${thread}`, acting };
    }),
  ];
  const rows = frame.classes.map((each) => matrixRow(each, columns));
  const { lastMove } = frame;
  const row = rows.findIndex((each) => each.key === lastMove?.pool);
  const central = columns.findIndex((column) => column.kind === 'central');
  const thread = columns.findIndex((column) => column.key === `thread ${lastMove?.thread}`);
  const move =
    lastMove === undefined || row < 0 || thread < 0
      ? undefined
      : {
          seq: lastMove.seq,
          row,
          ...(lastMove.direction === 'fetched' ? { from: central, to: thread } : { from: thread, to: central }),
          count: lastMove.count,
        };
  return { columns, rows, move, apart: 2 };
}

function matrixRow(each: CacheClassRow, columns: readonly MatrixColumn[]): MatrixRow {
  const title = formatBytes(each.nodeSize);
  const counts = [each.inUse, each.central, ...each.cached];
  const cells = columns.map((column, index): MatrixCell => {
    const count = counts[index] ?? 0;
    const blocks = count === 1 ? '1 block' : `${formatCount(count)} blocks`;
    const shown = shortCount(count);
    const rounded = blocks.startsWith(shown) ? '' : `${shown}, `;
    const size = count === 0 ? '' : `, ${formatBytes(count * each.nodeSize)}`;
    const share = each.nodes === 0 ? 0 : count / each.nodes;
    const text = `${title}, ${column.name}: ${rounded}${blocks}${size}`;
    return { key: column.key, kind: column.kind, count, share, shown, text };
  });
  return { key: each.pool, title, extra: undefined, cells };
}

/** "Event 1,234: a batch of 32 blocks of 128 B from the central list to thread 2." */
export function moveText(frame: CachesFrame): string {
  const { lastMove } = frame;
  if (lastMove === undefined) return 'No batch has moved yet.';
  const size = frame.classes.find((each) => each.pool === lastMove.pool)?.nodeSize;
  const blocks = lastMove.count === 1 ? '1 block' : `${formatCount(lastMove.count)} blocks`;
  const what = `a batch of ${blocks}${size === undefined ? '' : ` of ${formatBytes(size)}`}`;
  const way =
    lastMove.direction === 'fetched'
      ? `from the central list to thread ${lastMove.thread}`
      : `from thread ${lastMove.thread} to the central list`;
  return `Event ${formatCount(lastMove.seq)}: ${what} ${way}.`;
}

/** What a loss of events has made of the matrix; '' when nothing. */
export function lossText(frame: CachesFrame): string {
  if (frame.undividedSince === undefined) return '';
  const since = formatCount(frame.undividedSince);
  return `Events were lost before event ${since}: since then every free block counts as central, for who holds it is not known.`;
}
