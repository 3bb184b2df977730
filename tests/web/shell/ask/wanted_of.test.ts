import { expect, it } from 'vitest';
import { kConditions, meantBy, meantText } from '../../../../web/src/shell/ask/wanted_of.ts';

const said = (written: string): string | undefined => {
  const meant = meantBy(written);
  return meant === undefined ? undefined : meantText(meant).replaceAll('\u202f', ' ');
};

it('a number is an event, with or without a sign and thousands', () => {
  for (const written of ['4812', '#4,812', ' # 4812 ', '4_812', 'event 4812', 'Event #4,812'])
    expect(said(written)).toBe('to event 4,812');
});

it('hexadecimal digits are an address, grouped or not', () => {
  expect(said('0x41a30')).toBe('touches 0x0004_1a30');
  expect(said('0x0004_1a30')).toBe('touches 0x0004_1a30');
  expect(said('0x1_0000_0000')).toBe('mentions “0x1_0000_0000”'); // beyond every memory
});

it('a size has a unit, and may be a least one', () => {
  expect(said('64 B')).toBe('asks for 64 B');
  expect(said('1.5KiB')).toBe('asks for 1.50 KiB');
  expect(said('>= 64 KiB')).toBe('asks for 64 KiB or more');
  expect(said('> 1m')).toBe('asks for 1 MiB or more');
});

it('what stands on a button can be written, too', () => {
  for (const { name, written } of kConditions) {
    expect(said(name)).toBe(said(written));
    expect(said(` ${name.toUpperCase()} `)).toBe(said(written));
    expect(said(name)).not.toContain('mentions');
  }
});

it('two words are conditions, all else is a text, and nothing is nothing', () => {
  expect(said('grows')).toBe('makes the heap grow');
  expect(said('Fails')).toBe('fails');
  expect(said('bin 5')).toBe('mentions “bin 5”');
  expect(said('  ')).toBeUndefined();
});
