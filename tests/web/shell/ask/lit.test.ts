// What of an answer is lit on the map, and for how long.

import { expect, test } from 'vitest';
import type { ShownAnswer } from '../../../../web/src/protocol/answers.ts';
import { createLit, showEvidence } from '../../../../web/src/shell/ask/lit.ts';

const block = (address: number, size_bytes: number) => ({ address, size_bytes, born_event: 1, site: 0 });

const answerOf = (ask: ShownAnswer['ask'], blocks: readonly (readonly [number, number])[], event = 50): ShownAnswer =>
  ({
    ask,
    event,
    evidence: { event: 30, blocks: blocks.map(([at, size]) => block(at, size)), holes: [] },
  }) as unknown as ShownAnswer;

test('an answer is lit at its own moment alone, its blocks by address; a growth at the event that it found', () => {
  const lit = createLit();
  const holds = answerOf('holds', [
    [900, 16],
    [100, 32],
  ]);
  const shown = lit(holds, 50);
  expect(shown?.blocks).toEqual({ address: Uint32Array.of(100, 900), size: Uint32Array.of(32, 16) });
  expect(shown?.outlined).toBe(false);
  expect(lit(holds, 51)).toBeUndefined();
  expect(lit(holds, 50)).toBe(shown); // the map draws again only what is another
  const grew = answerOf('grew', [[200, 8]]);
  expect([lit(grew, 50), lit(grew, 30)?.blocks.address, lit(grew, 30)?.outlined]).toEqual([
    undefined,
    Uint32Array.of(200),
    true,
  ]);
  expect(lit(answerOf('leaked', []), 50)).toBeUndefined();
  expect(lit(undefined, 50)).toBeUndefined();
});

test('all of the evidence comes into view, with as much of the heap beside it', () => {
  const fits: (readonly number[])[] = [];
  const map = { fit: (...view: readonly number[]) => fits.push(view) } as unknown as Parameters<typeof showEvidence>[1];
  showEvidence(
    answerOf('holds', [
      [900_000, 16],
      [100_000, 32],
    ]),
    map,
  );
  showEvidence(answerOf('pins', [[100_000, 32]]), map);
  showEvidence(answerOf('leaked', []), map);
  expect(fits).toEqual([
    [100_000, 900_016, 800_016],
    [100_000, 100_032, 32_768],
  ]);
});
