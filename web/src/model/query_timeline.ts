// Bytes in use and footprint over time, a pair of numbers a column.

import { type Seq, seq } from '../base/brand.ts';
import type { TimelineFrame } from '../protocol/frames.ts';
import type { History } from './history.ts';

const kMostColumns = 8192;

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
    marks: marksIn(history, begin, end, labelOf),
    verified: verified.filter((at) => at >= begin && at <= end),
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

function marksIn(history: History, begin: number, end: number, labelOf: MarkLabel): TimelineFrame['marks'] {
  const marks: { readonly seq: Seq; readonly label: string }[] = [];
  for (let nth = history.marks.countBelow(begin); nth < history.marks.countBelow(end); ++nth) {
    const event = history.marks.at(nth);
    const label = labelOf(event);
    if (label !== undefined) marks.push({ seq: seq(event + 1), label });
  }
  return marks;
}
