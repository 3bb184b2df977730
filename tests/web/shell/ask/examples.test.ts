import { expect, it } from 'vitest';
import { longestWithin } from '../../../../web/src/shell/ask/examples.ts';

const kLetter = 7;
const widthOf = (text: string): number => text.length * kLetter;

it('a wider field has more examples, each of them whole; the narrowest says what it is for', () => {
  const shown = [40, 100, 160, 300, 600].map((space) => [space, longestWithin(space, widthOf)] as const);
  for (const [space, text] of shown.slice(1)) expect(widthOf(text)).toBeLessThanOrEqual(space);
  expect(shown.map(([, text]) => text.length)).toEqual(shown.map(([, text]) => text.length).sort((a, b) => a - b));
  expect(shown[0]?.[1]).toBe('Ask or search');
  expect(new Set(shown.map(([, text]) => text)).size).toBe(4);
});
