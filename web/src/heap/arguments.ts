// What a caller gives, before wasm sees it, which would make an address or a size of anything.
//
//   arguments.A1  What cannot be meant is refused by its name, whatever the build: an option that is not there, a wrong type,
//                 NaN, a negative size, a half address. The error is `bad_argument`, and nothing was done.
//   arguments.A2  A size or a count is a whole number of up to 32 bits; a fraction is a mistake in what computed it. What 32 bits
//                 can say and no heap has is no mistake: the call fails as it would in C. So does a count times a size.
//   arguments.A3  A number that is no block in use is refused as far as headers show: block_proof.ts.

import { HeapError } from './heap_error.ts';

const kMaxSize = 0xffff_ffff;

const isWhole = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
const isWord = (value: unknown): value is number => isWhole(value) && value <= kMaxSize;

/** A size in bytes, or a count, as wasm may see it. */
export function sizeOf(value: unknown, name: string): number {
  if (isWord(value)) return value;
  throw badArgument(`${name} must be a whole number from 0 to ${kMaxSize}, and is ${shown(value)}`);
}

/** The bytes of `count` objects; what 32 bits cannot say becomes the largest size, which no heap has (A2). */
export const bytesOfMany = (count: number, each: number): number => Math.min(kMaxSize, count * each);

/** An address that a call of this heap gave, or 0. */
export function addressOf(value: unknown, name: string): number {
  if (isWord(value)) return value;
  throw badArgument(`${name} must be an address that this heap gave, and is ${shown(value)}`);
}

/** A power of two from `least` on. */
export function alignmentOf(value: unknown, name: string, least: number): number {
  const is = typeof value === 'number' && value >= least && value <= 2 ** 31 && (value & (value - 1)) === 0;
  if (is && Number.isInteger(value)) return value;
  throw badArgument(`${name} must be a power of two from ${least} on, and is ${shown(value)}`);
}

/** How an option is said to be wrong: what it must be, or undefined when the value will do. */
export type Check = (value: unknown) => string | undefined;

export const isBoolean: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false');
export const isSize: Check = (value) => (isWhole(value) ? undefined : 'a whole number, 0 or more');
export const isOneOf =
  (...names: readonly unknown[]): Check =>
  (value) =>
    names.includes(value) ? undefined : `one of ${names.map(shown).join(', ')}`;

/** An object with no other properties than `known`, each undefined or as its check wants it; `needed` are not undefined. */
export function checkOptions(
  call: string,
  options: unknown,
  known: Readonly<Record<string, Check>>,
  needed: readonly string[] = [],
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw badArgument(`${call} takes an object of options, and was given ${shown(options)}`);
  }
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(known, name) ? known[name] : undefined;
    if (check === undefined) {
      throw badArgument(`${call} has no option ${shown(name)}; it has ${Object.keys(known).join(', ')}`);
    }
    const wanted = value === undefined ? undefined : check(value);
    if (wanted !== undefined)
      throw badArgument(`${call}: the option ${name} must be ${wanted}, and is ${shown(value)}`);
  }
  for (const name of needed) {
    if ((options as Record<string, unknown>)[name] === undefined) throw badArgument(`${call} needs the option ${name}`);
  }
}

/** A list of numbers: an array or a typed array. */
export function listOf(value: unknown, name: string): ArrayLike<number> {
  const list = value as ArrayLike<number> | null | undefined;
  if (typeof list === 'object' && list !== null && Number.isInteger(list.length)) return list;
  throw badArgument(`${name} must be an array of numbers, and is ${shown(value)}`);
}

export const badArgument = (message: string): HeapError => new HeapError('bad_argument', message);

/** A value in a sentence. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}...` : value}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : `an object (${value.constructor?.name ?? 'no class'})`;
}
