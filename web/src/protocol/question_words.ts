// Questions in words, as the page's line and `heapglass ask` take them.
//
//   who holds (the memory)      what leaked      why (did it) grow      will 300 KiB fit      what pins (0x41a30), largest free

import type { Question } from './answers.ts';

const kUnits: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  bytes: 1,
  k: 1024,
  kb: 1024,
  kib: 1024,
  m: 2 ** 20,
  mb: 2 ** 20,
  mib: 2 ** 20,
};
const kSize = /(\d[\d_]*(?:\.\d+)?)\s*([a-z]+)?/i;
const kMost = 2 ** 32;

/** 300 KiB, 64k, 4096; undefined: no size of this address space. */
export function sizeOf(text: string): number | undefined {
  const match = /^\s*(\d[\d_]*(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text);
  const unit = match === null ? undefined : kUnits[(match[2] || 'b').toLowerCase()];
  if (match === null || unit === undefined) return undefined;
  const size = Math.round(Number((match[1] ?? '').replaceAll('_', '')) * unit);
  return size > 0 && size < kMost ? size : undefined;
}

/** undefined: no question that is known. */
export function questionOf(text: string): Question | undefined {
  const words = text.trim().toLowerCase();
  if (/\bwho\b|\bholds?\b|\bholding\b/.test(words)) return { ask: 'holds' };
  if (/\bleak(s|ed|ing)?\b/.test(words)) return { ask: 'leaked' };
  if (/\bwhy\b|\bgrew\b/.test(words)) return { ask: 'grew' };
  if (/\bpins?\b|\bpinned\b|\blargest free\b|\bhole\b|\bfragment/.test(words)) return pinsOf(words);
  if (/\bfits?\b/.test(words)) return fitsOf(words);
  return undefined;
}

function pinsOf(words: string): Question {
  const address = /0x([\da-f_]+)/.exec(words)?.[1]?.replaceAll('_', '');
  const at = address === undefined ? Number.NaN : Number.parseInt(address, 16);
  return at < kMost ? { ask: 'pins', address: at } : { ask: 'pins' };
}

function fitsOf(words: string): Question | undefined {
  const match = kSize.exec(words);
  const unit = match?.[2] !== undefined && match[2] in kUnits ? match[2] : '';
  const bytes = match === null ? undefined : sizeOf(`${match[1]} ${unit}`);
  return bytes === undefined ? undefined : { ask: 'fits', bytes };
}
