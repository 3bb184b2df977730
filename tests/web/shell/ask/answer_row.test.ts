// Which growth an answer is about, among all of the heap.

import { expect, test } from 'vitest';
import { placeOfGrowth } from '../../../../web/src/shell/ask/answer_row.ts';

test('a growth is counted from the first, among those behind the moment too; an only one has no place', () => {
  const place = (growths: number, later_growths: number, nth: number) => placeOfGrowth({ growths, later_growths }, nth);
  expect([place(3, 0, 0), place(3, 0, 2), place(3, 1200, 1)]).toEqual(['3 of 3', '1 of 3', '2 of 1,203']);
  expect([place(1, 1, 0), place(1, 0, 0), place(0, 5, 0)]).toEqual(['1 of 2', undefined, undefined]);
});
