// Numbers that options take; what is none of them is said in words.

import { InvalidArgumentError } from 'commander';

/** Digits alone: no sign, no exponent, no space, and not nothing, which Number() takes for 0. */
const whole =
  (least: number, most: number, says: string) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) throw new InvalidArgumentError(`It must be ${says}.`);
    return value;
  };

export const asCount = whole(1, Number.MAX_SAFE_INTEGER, 'a whole number, 1 or more');
/** A place in a trace, or how often something is done. */
export const asNumber = whole(0, Number.MAX_SAFE_INTEGER, 'a whole number, 0 or more');
export const asPort = whole(0, 65_535, 'a number from 0 to 65535');
export const asDistance = whole(1, 2 ** 30, 'the bytes per sample, from 1 to 1073741824, such as 2097152');

export function asKept(text: string): string {
  return text === 'all' ? text : String(asCount(text));
}
