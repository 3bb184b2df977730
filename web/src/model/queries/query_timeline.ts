// Bytes in use and footprint over time, a pair of numbers a column.

import { type Seq, seq } from '../../base/brand.ts';
import type { GrowingUint32 } from '../../base/growing.ts';
import type { TimelineFrame } from '../../protocol/frames.ts';
import type { History } from '../time/history.ts';

const kMostColumns = 8192;
const kAllShown = 512; // marks, and proofs

/** Names a mark; undefined: it is not worth a label. */
export type MarkLabel = (event: number) => string | undefined;

export function queryTimeline(
  history: History,
  from: number,
  to: number,
  columns: number,
  verified: readonly Seq[],
  labelOf: MarkLabel,
): TimelineFrame {
  const end = Math.max(0, Math.min(to, history.head.seq));
  const begin = Math.max(0, Math.min(from, end));
  const count = Math.max(1, Math.min(Math.floor(columns), kMostColumns));
  const frame = {
    from: seq(begin),
    to: seq(end),
    columns: count,
    inUseMin: new Float64Array(count),
    inUseMax: new Float64Array(count),
    occupiedMax: new Float64Array(count),
    footprint: new Float64Array(count),
    marks: marksIn(history, begin, end, count, labelOf),
    verified: verifiedIn(verified, begin, end, count),
  };
  for (let column = 0; column < count; ++column) {
    const low = Math.round(begin + ((end - begin) * column) / count);
    const high = Math.round(begin + ((end - begin) * (column + 1)) / count);
    const [min, max] = history.inUse.range(low, high);
    frame.inUseMin[column] = min;
    frame.inUseMax[column] = max;
    frame.occupiedMax[column] = history.malloc.occupiedMax(history.inUse, low, high);
    frame.footprint[column] = history.footprint.maxOver(low, high);
  }
  return frame;
}

/** Events in [begin, end): all of them, or where they are too many to show, the last of each column. */
function shownEvents(
  events: GrowingUint32,
  begin: number,
  end: number,
  columns: number,
  visit: (nth: number, more: number) => void,
): void {
  let from = events.countBelow(begin);
  const all = events.countBelow(end);
  if (all - from <= kAllShown) {
    for (; from < all; ++from) visit(from, 0);
    return;
  }
  for (let column = 0; column < columns; ++column) {
    const to = events.countBelow(column + 1 === columns ? end : begin + ((end - begin) * (column + 1)) / columns);
    if (to > from) visit(to - 1, to - from - 1);
    from = Math.max(from, to);
  }
}

function marksIn(
  history: History,
  begin: number,
  end: number,
  columns: number,
  labelOf: MarkLabel,
): TimelineFrame['marks'] {
  const marks: { readonly seq: Seq; readonly label: string; readonly more: number }[] = [];
  shownEvents(history.marks, begin, end, columns, (nth, more) => {
    const event = history.marks.at(nth);
    const label = labelOf(event);
    if (label !== undefined) marks.push({ seq: seq(event + 1), label, more });
  });
  return marks;
}

/** `verified` ascends: more than kAllShown lie in more than one event. */
function verifiedIn(verified: readonly Seq[], begin: number, end: number, columns: number): Seq[] {
  const inside = verified.filter((at) => at >= begin && at <= end);
  if (inside.length <= kAllShown) return inside;
  const found: Seq[] = [];
  let column = -1;
  for (const at of inside) {
    const here = Math.floor(((at - begin) * columns) / (end - begin));
    if (here === column) found.pop();
    found.push(at);
    column = here;
  }
  return found;
}
