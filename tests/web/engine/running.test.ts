// When a run walks the real heap to prove the model: rule RU2.

import { expect, test } from 'vitest';
import { bytes, seq } from '../../../web/src/base/brand.ts';
import { makeEngine, scenarioOf } from './harness.ts';

test('the heap is walked whenever the trace has grown by a fifth, and at the end', async () => {
  const long = scenarioOf('long', function* (operations) {
    for (let i = 0; i < 30_000; ++i) {
      for (const mem of operations.operate({ op: 'allocate', size: bytes(100) }).mems)
        operations.operate({ op: 'deallocate', mem });
      if (i % 50 === 0) yield { chapter: undefined, done: 0 };
    }
  });
  const { run, frame } = makeEngine({ scenarios: [long] });
  await run('long');
  const { status, timeline } = await frame({ timeline: { from: seq(0), to: 'head', columns: 50 } });
  const walks = timeline?.verified ?? [];
  expect(walks.at(-1)).toBe(status.head);
  const slice = 20_000; // events, and some
  for (const [nth, walk] of walks.slice(0, -1).entries()) {
    const last = walks[nth - 1] ?? 0;
    const due = Math.max(last * 1.2, last + 2000);
    expect(walk).toBeGreaterThan(due);
    expect(walk).toBeLessThan(due + slice);
  }
  expect(status.head).toBeGreaterThan(200_000);
});

test('a trace that is saved amid a run gets no proof of its own, and one that is saved behind it ends with one', async () => {
  const pausing = scenarioOf('pausing', function* (operations) {
    for (let i = 0; i < 10_000; ++i) {
      const [mem] = operations.operate({ op: 'allocate', size: bytes(100) }).mems;
      if (mem !== undefined) operations.operate({ op: 'deallocate', mem });
      yield { chapter: undefined, done: i / 10_000 };
    }
  });
  const { engine, ask, frame } = makeEngine({ scenarios: [pausing] });
  const head = async () => (await frame()).status.head;
  await ask({ type: 'runScenario', scenario: 'pausing', seed: 1 }, 'started');
  expect(engine.tick()).toBe(true);
  const before = await head();
  await ask({ type: 'exportTrace' }, 'trace');
  expect(await head()).toBe(before);
  while (engine.tick());
  const proved = await head();
  await ask({ type: 'exportTrace' }, 'trace');
  expect(await head()).toBe(proved);
});
