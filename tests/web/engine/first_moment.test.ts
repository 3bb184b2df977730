// The first moment is found while a program runs: a growth that free memory in fewer pieces would have saved, right ahead.

import { expect, test } from 'vitest';
import { firstScenario } from '../../../web/src/moment/first_moment.ts';
import { kScenarios } from '../../../web/src/scenarios/index.ts';
import { kTextPrograms, readAvailability } from '../../../web/src/wasm/program_artefacts.ts';
import { makeEngine } from './harness.ts';

const missing: Readonly<Record<string, string | null>> = await readAvailability();

/** Asks at the first event, and runs no further than to the slice that has it. */
async function findFirst({ ask, engine }: ReturnType<typeof makeEngine>, scenario: string) {
  await ask({ type: 'runScenario', scenario, seed: 1 }, 'started');
  let found = false;
  const asked = ask({ type: 'firstMoment' }, 'firstMoment').then(({ moment }) => {
    found = true;
    return moment;
  });
  for (let more = true; more && !found; await Promise.resolve().then(() => {})) more = engine.tick();
  return await asked;
}

for (const scenario of ['sqlite', 'adaptive_pool'])
  test.skipIf(typeof missing[scenario] === 'string')(`${scenario}: the heap grows though enough is free`, async () => {
    const page = makeEngine();
    const moment = await findFirst(page, scenario);
    if (moment === undefined) throw new Error('no moment');
    const { answer } = await page.ask({ type: 'answer', question: { ask: 'grew' }, at: moment, heap: 0 }, 'answered');
    if (answer.ask !== 'grew' || answer.figures.latest === null) throw new Error(answer.sentence);
    expect(answer.evidence.event).toBe(moment);
    const { cause, free_bytes, needed_bytes, largest_free_bytes, free_pieces } = answer.figures.latest;
    expect(cause).toBe('fragmented');
    expect(free_bytes).toBeGreaterThan(needed_bytes);
    expect(largest_free_bytes).toBeLessThan(needed_bytes);
    expect(free_pieces).toBeGreaterThanOrEqual(20);
    expect(answer.missing).not.toContain('known up to here only');
    // The same when it is asked late, of a run that has ended.
    while (page.engine.tick());
    expect(await page.ask({ type: 'firstMoment' }, 'firstMoment')).toEqual({ type: 'firstMoment', moment });
  });

test('a run that never grows for want of one piece has none, and one that is replaced is given up', async () => {
  const page = makeEngine();
  expect(await findFirst(page, 'forward_expansion')).toBeUndefined();
  await page.ask({ type: 'runScenario', scenario: 'adaptive_pool', seed: 1 }, 'started');
  const asked = page.ask({ type: 'firstMoment' }, 'firstMoment');
  await page.ask({ type: 'runScenario', scenario: 'by_hand', seed: 1 }, 'started');
  expect((await asked).moment).toBeUndefined();
});

test('the first moment is of the first program that is here, and of a scenario that needs none at the end', () => {
  const infos = kScenarios.map(({ info }) => info);
  expect(firstScenario(infos)).toBe('sqlite');
  const without = infos.map((info) => (info.id in kTextPrograms ? { ...info, unavailable: 'no sources' } : info));
  expect(firstScenario(without)).toBe('adaptive_pool');
});
