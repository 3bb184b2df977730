// What an element says of what it shows, by what the engine says of it.

import { expect, test } from 'vitest';
import { isQuiet, noticesOf } from '../../../web/src/elements/heap_map_notices.ts';
import type { StatusFrame } from '../../../web/src/protocol/frames.ts';

const kSound = {
  mismatch: undefined,
  waiting: undefined,
  broken: false,
  damage: undefined,
  lost: 0,
  before: 0,
  verifiedAt: 10,
} as unknown as StatusFrame;

test.each<[string, Partial<Record<keyof StatusFrame, unknown>>, string | undefined, boolean, readonly string[]]>([
  ['a proven file', {}, undefined, true, []],
  ['a file without a proof', { verifiedAt: undefined }, undefined, true, ['not_verified']],
  ['a program without a proof so far', { verifiedAt: undefined }, undefined, false, []],
  ['a file that differs', { verifiedAt: undefined, mismatch: 'event 3' }, undefined, true, ['differs']],
  ['an event that fits no heap', { mismatch: 'event 3', broken: true }, undefined, true, ['damaged']],
  ['a file that was cut', {}, 'it was cut', true, ['damaged']],
  ['what opening said of the difference', { mismatch: 'event 3' }, 'event 3', true, ['differs']],
  ['what opening said of a wait', { waiting: 'for a walk' }, 'for a walk', true, ['lost']],
  ['damage that opening said', { damage: 'it was cut' }, 'it was cut', true, ['damaged']],
  ['other damage than opening said', { damage: 'a checksum' }, 'it was cut', true, ['damaged', 'damaged']],
  ['lost events', { lost: 1200 }, undefined, false, ['lost']],
  ['lost events that are waited behind', { lost: 1200, waiting: 'for a walk' }, undefined, false, ['lost']],
  ['a late begin', { before: 5 }, undefined, false, ['begins_late']],
])('%s', (_, status, opened, isFile, kinds) => {
  expect(noticesOf({ ...kSound, ...status } as StatusFrame, opened, isFile).map(({ kind }) => kind)).toEqual(kinds);
});

test('numbers of events are written with their thousands, and what is no fault is quiet', () => {
  const notices = noticesOf({ ...kSound, lost: 1200, before: 34_000 } as StatusFrame, undefined, false);
  expect(notices.map(({ message }) => message)).toEqual([
    '1,200 events were lost',
    'begins behind 34,000 events that are not kept',
  ]);
  expect(notices.map(isQuiet)).toEqual([false, true]);
});
