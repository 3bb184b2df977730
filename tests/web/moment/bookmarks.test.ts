import { expect, test } from 'vitest';
import { kMostBookmarks, nextPlace, readBookmarks, toggled } from '../../../web/src/moment/bookmarks.ts';

test('a bookmark is set once, in order, and taken away by the second press', () => {
  const three = [300, 60, 4812].reduce<readonly number[]>(toggled, []);
  expect(three).toEqual([60, 300, 4812]);
  expect(toggled(three, 300)).toEqual([60, 4812]);
});

test('what an address names and is no event is left out, and there is a limit', () => {
  expect(readBookmarks('300,60,x,,-1,60,1e3')).toEqual([60, 300]);
  expect(readBookmarks(Array.from({ length: 500 }, (_, nth) => nth).join())).toHaveLength(kMostBookmarks);
});

test('the next place is behind the cursor, the one before is before it', () => {
  const places = [900, 60, 300];
  expect(nextPlace(places, 60, 1)).toBe(300);
  expect(nextPlace(places, 60, -1)).toBeUndefined();
  expect(nextPlace(places, 899, -1)).toBe(300);
  expect(nextPlace(places, 900, 1)).toBeUndefined();
});
