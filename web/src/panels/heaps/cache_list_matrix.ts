// The cache lists of malloc as a matrix: pure, so that it can be tested without a page.
//
//             central │  1    2                 a row    a list: chunks of one size, or of a few that are near
//     72 B       64   │  16    0    5.6 KiB     a column who has them
//    144 B      ...                             a cell   how many, filled by their share of the fullest cell's bytes
//
//  N1  Few lists are all shown, empty ones too, so that the picture stands still; of many those that have chunks.

import { formatBytes, formatCount } from '../../base/format.ts';
import { isSlabList } from '../../protocol/slab_lists.ts';
import { type Matrix, type MatrixCell, type MatrixColumn, type MatrixRow, shortCount } from './matrix.ts';
import type { CacheListRow, CacheListsFrame } from './part.ts';

const kFewRows = 14;
const kMostRows = 48;
const kUnknownKey = -1;

export interface CacheListMatrix extends Matrix {
  /** Lists that have chunks and no row. */
  readonly left: number;
}

export function cacheListMatrixOf(frame: CacheListsFrame): CacheListMatrix {
  const columns = Array.from(frame.holders, (holder): MatrixColumn => {
    const acting = holder === frame.acting;
    if (holder === 0)
      return { key: 'central', kind: 'cachedChunks', title: 'central', name: 'central list', acting: false };
    return { key: `thread ${holder}`, kind: 'cachedChunks', title: String(holder), name: `thread ${holder}`, acting };
  });
  const all = frame.rows.length <= kFewRows ? frame.rows : frame.rows.filter((row) => bytesOf(row) > 0);
  const least = [...all].sort((one, other) => bytesOf(other) - bytesOf(one)).slice(0, kMostRows);
  const shown = all.filter((row) => least.includes(row));
  const most = Math.max(1, ...frame.rows.flatMap((row) => [...row.bytes]));
  const rows = shown.map((row) => rowOf(row, columns, most));
  return {
    columns,
    rows,
    move: moveOf(frame, columns, rows),
    apart: frame.holders[0] === 0 ? 1 : 0,
    left: all.length - shown.length,
  };
}

const bytesOf = (row: CacheListRow): number => row.bytes.reduce((sum, bytes) => sum + bytes, 0);

/** "72 B", "4.1 to 4.4 KiB": what the chunks of a list have. */
export function listTitle({ list, low, high }: Pick<CacheListRow, 'list' | 'low' | 'high'>): string {
  if (list === undefined) return 'unknown';
  if (isSlabList(list)) return `${formatBytes(low)} in slabs`;
  return low === high ? formatBytes(low) : `≤ ${formatBytes(high)}`;
}

function rowOf(row: CacheListRow, columns: readonly MatrixColumn[], most: number): MatrixRow {
  const title = listTitle(row);
  const cells = columns.map((column, index): MatrixCell => {
    const count = row.chunks[index] ?? 0;
    const bytes = row.bytes[index] ?? 0;
    const what = row.list !== undefined && isSlabList(row.list) ? 'block' : 'chunk';
    const chunks = count === 1 ? `1 ${what}` : `${formatCount(count)} ${what}s`;
    const shown = shortCount(count);
    const rounded = chunks.startsWith(shown) ? '' : `${shown}, `;
    const size = count === 0 ? '' : `, ${formatBytes(bytes)}`;
    const text = `${title}, ${column.name}: ${rounded}${chunks}${size}`;
    return { key: column.key, kind: column.kind, count, share: bytes / most, shown, text };
  });
  const bytes = bytesOf(row);
  return { key: row.list ?? kUnknownKey, title, extra: bytes === 0 ? '' : formatBytes(bytes), cells };
}

function moveOf(
  { lastMove, holders }: CacheListsFrame,
  columns: readonly MatrixColumn[],
  rows: readonly MatrixRow[],
): Matrix['move'] {
  if (lastMove === undefined) return undefined;
  const row = rows.findIndex(({ key }) => key === lastMove.list);
  const [from, to] = [holders.indexOf(lastMove.from), holders.indexOf(lastMove.to)];
  if (row < 0 || from < 0 || to < 0 || columns.length < 2) return undefined;
  return { seq: lastMove.seq, row, from, to, count: lastMove.chunks };
}

/** "Event 1,234: 32 chunks of 72 B went from thread 2 to the central list." '' when nothing moved. */
export function cacheListMoveText({ lastMove, rows }: CacheListsFrame): string {
  if (lastMove === undefined) return '';
  const row = rows.find(({ list }) => list === lastMove.list);
  const what = lastMove.chunks === 1 ? '1 chunk' : `${formatCount(lastMove.chunks)} chunks`;
  const size = row === undefined ? '' : ` of ${listTitle(row)}`;
  return `Event ${formatCount(lastMove.seq)}: ${what}${size} went from ${holderName(lastMove.from)} to ${holderName(lastMove.to)}.`;
}

const holderName = (holder: number): string => (holder === 0 ? 'the central list' : `thread ${holder}`);

const plural = (count: number, what: string): string => (count === 1 ? `1 ${what}` : `${formatCount(count)} ${what}s`);

/** "12 chunks and 3 slabs": what a flush gave back. */
function partsText(chunks: number, slabs: number): string {
  const some = chunks === 0 && slabs > 0 ? [] : [plural(chunks, 'chunk')];
  return [...some, ...(slabs === 0 ? [] : [plural(slabs, 'slab')])].join(' and ');
}

/** "3 slabs; 412 B of them are their own words, which no block can have." '' without slabs. */
export function slabsText({ slabs: { count, ownBytes } }: Pick<CacheListsFrame, 'slabs'>): string {
  if (ownBytes === 0) return '';
  return `${count === 0 ? 'No slab' : plural(count, 'slab')}; ${formatBytes(ownBytes)} of all that is cached are slabs’ own words and the table of where they lie.`;
}

/** The flush that is under way, what the last one before gave back, and how many there were. */
export function flushText(frame: CacheListsFrame): string {
  const { flushing, lastFlush } = frame;
  const now =
    flushing === undefined ? [] : [`Event ${formatCount(flushing)}: a flush of the cache began, and is under way.`];
  const before = lastFlush !== undefined ? [endedFlushText(frame.flushes, lastFlush)] : [];
  return [...now, ...before].join(' ') || 'The cache has not been flushed yet.';
}

function endedFlushText(flushes: number, flush: NonNullable<CacheListsFrame['lastFlush']>): string {
  const chunks = partsText(flush.chunks, flush.slabs);
  const why = flush.nested ? 'an allocation flushed the cache:' : 'the cache was flushed on demand:';
  const times = flushes === 1 ? 'the first time' : `${formatCount(flushes)} times in all`;
  return `Event ${formatCount(flush.seq)}: ${why} ${chunks}, ${formatBytes(flush.bytes)}, went to the heap; ${times}.`;
}
