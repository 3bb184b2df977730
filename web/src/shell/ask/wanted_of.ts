// What the visitor wrote into the field, as what is meant. Pure, for the tests and for the line that says it back.
//
//   4812   #4,812        to that event; "event 4812", too                    0x41a30   0x0004_1a30   select there; next: what touches it
//   64 B   1.5 KiB       what asks for so many bytes      >= 64 KiB               so many or more
//   grows                what makes the heap grow         fails                   what fails
//   anything else        what mentions it: a mark, an event's sentence, a function or file of the call's stack

import { addr, bytes } from '../../base/brand.ts';
import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import type { Wanted } from '../../protocol/messages.ts';

export type Meant = { readonly go: 'event'; readonly event: number } | { readonly go: 'find'; readonly wanted: Wanted };

/** What stands on a button can be written, too. */
export const kConditions = [
  { name: 'the heap grows', written: 'grows' },
  { name: 'a call fails', written: 'fails' },
  { name: '64 KiB or more are asked', written: '>= 64 KiB' },
] as const;

const kUnits: Readonly<Record<string, number>> = { b: 1, bytes: 1, k: 1024, kib: 1024, m: 2 ** 20, mib: 2 ** 20 };

/** undefined: nothing was written. */
export function meantBy(written: string): Meant | undefined {
  const given = written.trim();
  const text = kConditions.find(({ name }) => name.toLowerCase() === given.toLowerCase())?.written ?? given;
  if (text === '') return undefined;
  const event = /^(?:event\s*)?#?\s*(\d[\d,_]*)$/i.exec(text)?.[1];
  if (event !== undefined) return { go: 'event', event: Number(event.replace(/[,_]/g, '')) };
  if (/^0x[\da-f_]+$/i.test(text)) {
    const address = Number(text.replaceAll('_', ''));
    if (address <= 0xffff_ffff) return { go: 'find', wanted: { by: 'address', address: addr(address) } };
  }
  const size = /^(>=|≥|>)?\s*(\d+(?:\.\d+)?)\s*(b|bytes|k|kib|m|mib)$/i.exec(text);
  if (size !== null) {
    const unit = kUnits[(size[3] ?? 'b').toLowerCase()] ?? 1;
    const wanted = bytes(Math.round(Number(size[2]) * unit));
    return { go: 'find', wanted: { by: 'size', size: wanted, orMore: size[1] !== undefined } };
  }
  if (/^grow(s|th)?$/i.test(text)) return { go: 'find', wanted: { by: 'growth' } };
  if (/^fail(s|ure)?$/i.test(text)) return { go: 'find', wanted: { by: 'failure' } };
  return { go: 'find', wanted: { by: 'text', text } };
}

/** What is meant, in words: what an event does that is looked for. */
export function meantText(meant: Meant): string {
  if (meant.go === 'event') return `to event ${formatCount(meant.event)}`;
  const { wanted } = meant;
  switch (wanted.by) {
    case 'address':
      return `touches ${formatAddress(wanted.address)}`;
    case 'size':
      return `asks for ${formatBytes(wanted.size)}${wanted.orMore ? ' or more' : ''}`;
    case 'growth':
      return 'makes the heap grow';
    case 'failure':
      return 'fails';
    case 'text':
      return `mentions “${wanted.text}”`;
  }
}
