import { expect, it } from 'vitest';
import { pressedBy } from '../../../../web/src/shell/ask/standing_questions.ts';

it('a button is pressed while the answer has its number, which is another one of a single function or address', () => {
  expect(pressedBy({ ask: 'holds' })).toBe('holds');
  expect(pressedBy({ ask: 'fits', bytes: 48 })).toBe('fits');
  expect(pressedBy({ ask: 'holds', site: 'remember_note' })).toBeUndefined();
  expect(pressedBy({ ask: 'pins', address: 0x5500a0 })).toBeUndefined();
  expect(pressedBy(undefined)).toBeUndefined();
});
