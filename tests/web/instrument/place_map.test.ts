// The map of places as its file's header lays it out, read back at every byte.

import { expect, test } from 'vitest';
import { readPlaceMap } from '../../../web/src/instrument/place_map.ts';
import { folded } from '../../../web/src/instrument/site_table.ts';

const kOurs = 0;
const kUnknown = 1;
const known = (shift: number) => folded(shift) + 2; // to the last known one

test('a place is the difference of the entry before it, unknown or none, and a known one counts from the last known', () => {
  const placeOf = readPlaceMap(
    Uint8Array.of(3, 20, known(-12), 10, known(-1), 10, kUnknown, 10, kOurs, 10, known(-18), 10, known(31)),
  );
  const expected = (at: number) => {
    if (at < 20 || (at >= 50 && at < 60)) return undefined;
    if (at < 30) return at - 12;
    if (at < 40) return at - 13;
    if (at < 50) return -1;
    return at < 70 ? at - 31 : at;
  };
  for (let at = 0; at < 100; ++at) {
    const original = expected(at);
    expect(placeOf(7, at), `at ${at}`).toEqual(original === undefined ? undefined : { at, function: 4, original });
  }
});
