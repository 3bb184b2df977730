// A frame that is compared with another moment: with the one that was asked for, whichever was asked for before.

import { expect, test } from 'vitest';
import { bytes, type Seq } from '../../../web/src/base/brand.ts';
import { makeEngine, partsIn, wanting } from './harness.ts';

test('each frame is compared with the moment that it asks for', async () => {
  const { run, operate, frame } = makeEngine();
  await run('by_hand');
  const moments: Seq[] = [];
  for (const size of [100, 200, 300]) {
    moments.push((await frame()).status.head);
    await operate({ op: 'allocate', size: bytes(size) });
  }
  for (const [nth, since] of [...moments.entries(), ...[...moments.entries()].reverse()]) {
    const { compare } = partsIn(await frame(wanting({ since })));
    expect(compare).toMatchObject({ since, added: { count: moments.length - nth }, both: { count: nth } });
  }
});
