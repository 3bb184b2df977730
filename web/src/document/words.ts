// Values of a document in words.

import { formatBytes, formatCount, formatShare } from '../base/format.ts';
import { visible } from '../base/visible.ts';
import type { Comparison, Unit, Value } from './document.ts';

const kWritten: Readonly<Record<Unit, (value: number) => string>> = {
  words: String,
  count: formatCount,
  bytes: formatBytes,
  share: formatShare,
  ratio: (value) => value.toFixed(2),
  ms: (value) => value.toFixed(value < 10 ? 2 : 1),
};

/** What a trace brings is shown as text (base/visible.ts). */
export const written = (value: Value, unit: Unit): string =>
  typeof value === 'string' ? visible(value) : kWritten[unit](value);

export const percent = formatShare;

export const plural = (n: number, one: string, many = `${one}s`): string => `${formatCount(n)} ${n === 1 ? one : many}`;

/** 'and 3 further sites'; '' when all are shown. */
export const restOf = (all: number, shown: number, what: string): string =>
  all > shown ? `and ${plural(all - shown, what)}` : '';

/** before, after, the change with its sign, its share of what was, and the noise; '' for what there is not. */
export function changeWords({ unit, before, after, noise }: Comparison['changes'][number]) {
  const sign = after > before ? '+' : '-';
  const change = Math.abs(after - before);
  return {
    before: written(before, unit),
    after: written(after, unit),
    change: `${sign}${written(change, unit)}`,
    share: before > 0 ? `${sign}${percent(change / before)}` : '',
    noise: noise > 0 ? written(noise, unit) : '',
  };
}
