// What a caller gives, before wasm sees it, which would make an address or a size of anything.
//
//   arguments.A1  What cannot be meant is refused by its name, whatever the build: an option that is not there, a wrong type,
//                 NaN, a negative size, a half address. The error is `bad_argument`, and nothing was done.
//   arguments.A2  What could be meant and cannot be had is no mistake: a size beyond 32 bits becomes the largest one, which
//                 no heap has, so that the call fails as it would in C.
//   arguments.A3  A fraction counts as the next whole byte: sizes are often computed (`length * 1.5`).

import { HeapError } from './heap_error.ts';

const kMaxSize = 0xffff_ffff;

/** A size in bytes, or a count, as wasm may see it. */
export function sizeOf(value: unknown, name: string): number {
  if (typeof value === 'number' && value >= 0) return value <= kMaxSize ? Math.ceil(value) : kMaxSize;
  throw badArgument(`${name} must be a number, 0 or more, and is ${shown(value)}`);
}

/** An address that a call of this heap gave, or 0. */
export function addressOf(value: unknown, name: string): number {
  if (typeof value === 'number' && value >= 0 && value <= kMaxSize && Number.isInteger(value)) return value;
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
export const isSize: Check = (value) => (typeof value === 'number' && value >= 0 ? undefined : 'a number, 0 or more');
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
