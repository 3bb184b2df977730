// Arguments of a script's calls, which may be anything: a clear sentence for what is no size, no count, no options.

import { kMostAtOnce } from '../protocol/scripts.ts';

const kLargest = 0xffff_ffff;

const shown = (value: unknown): string =>
  typeof value === 'string' ? `"${value}"` : typeof value === 'object' && value !== null ? 'an object' : String(value);

export function whole(call: string, name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= kLargest) return value;
  throw new TypeError(`${call}: ${name} is a whole number from 0 to 4294967295, not ${shown(value)}`);
}

export function count(call: string, value: unknown): number {
  const many = whole(call, 'count', value);
  if (many >= 1 && many <= kMostAtOnce) return many;
  throw new RangeError(`${call}: count is from 1 to ${kMostAtOnce}, not ${many}`);
}

export function optional(call: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new TypeError(`${call}: options are an object like { name: value }, not ${shown(value)}`);
}

/** undefined: nothing was chosen. */
export function chosen(
  call: string,
  name: string,
  value: unknown,
  choices: Readonly<Record<string, number>>,
): number | undefined {
  if (value === undefined) return undefined;
  const found = typeof value === 'string' && Object.hasOwn(choices, value) ? choices[value] : undefined;
  if (found !== undefined) return found;
  throw new TypeError(`${call}: ${name} is one of ${Object.keys(choices).join(', ')}, not ${shown(value)}`);
}
