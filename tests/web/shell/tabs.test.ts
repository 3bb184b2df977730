// Which panel a chosen chunk opens on a narrow screen.

import { expect, test } from 'vitest';
import { tabForSelection } from '../../../web/src/shell/tabs.ts';

const kKinds = [{ id: 'lists' }, { id: 'pins', takesSelection: true }, { id: 'chunk' }];

test.each([
  ['lists', 'chunk', 'chunk'],
  ['pins', 'chunk', undefined], // shows it itself
  ['chunk', 'chunk', 'chunk'],
  ['lists', undefined, undefined], // it is beside the map already
])('a chunk chosen at %s, with %s as a tab, opens %s', (tab, beside, opened) => {
  expect(tabForSelection(kKinds, tab, beside)).toBe(opened);
});
