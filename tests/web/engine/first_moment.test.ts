// first.2: at each of the first moments the question that the page has asked is answered, by the growth that is right ahead.

import { expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { firstMoment, firstScenario, kFirstMoments } from '../../../web/src/moment/first_moment.ts';
import { kDefaultSeed } from '../../../web/src/moment/state.ts';
import { kScenarios } from '../../../web/src/scenarios/index.ts';
import { kTextPrograms, readAvailability } from '../../../web/src/wasm/program_artefacts.ts';
import { makeEngine } from './harness.ts';

const missing: Readonly<Record<string, string | null>> = await readAvailability();

for (const { scenario, event, asked } of kFirstMoments)
  test.skipIf(typeof missing[scenario] === 'string')(`${scenario}: the heap grows though enough is free`, async () => {
    const { run, ask } = makeEngine();
    await run(scenario);
    const { answer } = await ask({ type: 'answer', question: { ask: 'grew' }, at: seq(asked), heap: 0 }, 'answered');
    if (answer.ask !== 'grew' || answer.figures.latest === null) throw new Error(answer.sentence);
    expect(answer.evidence.event).toBe(event);
    const { cause, free_bytes, needed_bytes, largest_free_bytes, free_pieces } = answer.figures.latest;
    expect(cause).toBe('fragmented');
    expect(free_bytes).toBeGreaterThan(needed_bytes);
    expect(largest_free_bytes).toBeLessThan(needed_bytes);
    expect(free_pieces).toBeGreaterThan(20);
    expect(answer.missing).not.toContain('known up to here only');
    expect(firstMoment({ kind: 'scenario', id: scenario, seed: kDefaultSeed })).toMatchObject({ cursor: event });
  });

test('the first moment is of the first program that is here, and of a scenario that needs none at the end', () => {
  const infos = kScenarios.map(({ info }) => info);
  expect(firstScenario(infos)).toBe('sqlite');
  const without = infos.map((info) => (info.id in kTextPrograms ? { ...info, unavailable: 'no sources' } : info));
  expect(firstScenario(without)).toBe('adaptive_pool');
});
