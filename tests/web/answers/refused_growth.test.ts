// A growth that the memory did not allow, of a real heap: what the answer says of it.

import { expect, test } from 'vitest';
import { bytes } from '../../../web/src/base/brand.ts';
import { makeEngine } from '../engine/harness.ts';

test('why it grew says that more memory was refused, and by how much nothing grew', async () => {
  const { run, operate, ask, frame } = makeEngine();
  await run('by_hand');
  const grewAt = async () => {
    const { head } = (await frame()).status;
    const { answer } = await ask({ type: 'answer', question: { ask: 'grew' }, at: head, heap: 0 }, 'answered');
    if (answer.ask !== 'grew') throw new Error(answer.ask);
    return answer;
  };
  await operate({ op: 'allocate', size: bytes(200_000) });
  const granted = (await grewAt()).figures.latest;
  expect([granted?.refused, (granted?.footprint_to_bytes ?? 0) > (granted?.footprint_from_bytes ?? 0)]).toEqual([
    false,
    true,
  ]);
  const huge = 0xf000_0000;
  await operate({ op: 'allocate', size: bytes(huge) });
  const { sentence, figures } = await grewAt();
  expect(sentence).toContain('more memory was refused');
  expect(figures.latest).toMatchObject({
    refused: true,
    request_bytes: huge,
    footprint_from_bytes: granted?.footprint_to_bytes,
    footprint_to_bytes: granted?.footprint_to_bytes,
  });
  expect(figures.growths).toBeGreaterThan(1);
  expect(figures.latest?.event ?? 0).toBeGreaterThan(granted?.event ?? 0);
});
