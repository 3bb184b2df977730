// Numbers that options take; what is none of them is said in words.

import { InvalidArgumentError } from 'commander';

export function asCount(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return value;
}

export function asEvent(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
}

export function asRounds(text: string): number {
  if (text === '0') return 0;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
}

export function asPort(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return value;
}

export function asDistance(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 2 ** 30)
    throw new InvalidArgumentError('It must be the bytes per sample, from 1 to 1073741824, such as 2097152.');
  return value;
}

export function asKept(text: string): string {
  return text === 'all' ? text : String(asCount(text));
}
