import { expect, it } from 'vitest';
import { hasOthers } from '../../../web/src/map/map_groups.ts';

it('the legend has others only where there can be some', () => {
  expect(hasOthers({ by: 'thread', names: ['thread 1', 'thread 3', '', ''] })).toBe(false);
  expect(hasOthers({ by: 'thread', names: ['thread 1', 'thread 3'] })).toBe(true);
  expect(hasOthers({ by: 'size', names: ['to 64 B'] })).toBe(false);
  expect(hasOthers({ by: 'site', names: ['load', ''] })).toBe(true); // a block without a known site, too
});
