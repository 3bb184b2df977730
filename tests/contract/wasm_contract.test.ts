// The contract in wasm under Node: 50,000 operations (a million in npm run test:all) against the twin, inside the module;
// their trace against the model, outside; and the same offsets with probes and without.

import { describe, expect, test } from 'vitest';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../web/src/trace/trace.ts';
import { kEvery } from '../every.ts';
import { type RunOptions, runContract } from './contract_module.ts';
import { proveTrace } from './prove_trace.ts';

const kOperations = kEvery ? 1_000_000 : 50_000;
const kCheckEvery = 1000;
const [kStrangers, kChecked] = kEvery ? [150_000, 100_000] : [25_000, 20_000];
const kMinutes = 60_000;

async function traced(options: Omit<RunOptions, 'variant'>, variant: 'trace' | 'checked' = 'trace') {
  const trace = new Trace();
  const run = await runContract(
    { ...options, variant },
    {
      append: (records) => trace.append(records),
      lost: (count) => trace.appendEvent(headOf(EventKind.eventsLost, 0), count, 0, 0),
    },
  );
  return { run, trace };
}

describe('the contract in wasm', () => {
  test('heap, twin and model agree at every check; undone to zero nothing is left; offsets do not depend on probes', {
    timeout: 10 * kMinutes,
  }, async () => {
    const options = { seed: 1, operations: kOperations, checkEvery: kCheckEvery };
    const { run, trace } = await traced(options);
    const checks = kOperations / kCheckEvery + 2; // and before and after
    expect(run.report).toContain(`operations ${kOperations} checks ${checks}`);
    const proof = proveTrace(trace, 20);
    expect(proof.problem).toBeUndefined();
    expect(proof.checkpoints).toBeGreaterThan(checks); // several heaps at most checks
    expect(proof.provedBackward).toBeGreaterThan(kOperations / 10_000);
    const plain = await runContract({ ...options, variant: 'release' });
    expect(plain.report).toBe(run.report);
    console.log(`${run.report}: ${proof.events} events, ${proof.checkpoints} checkpoints proved, all undone`);
  });

  test('holds when others grow the same memory', { timeout: 5 * kMinutes }, async () => {
    const { run, trace } = await traced({ seed: 2, operations: kStrangers, checkEvery: 500, strangers: true });
    expect(run.report).toContain(`operations ${kStrangers} checks ${kStrangers / 500 + 2}`);
    const gaps = countOf(trace, EventKind.segmentAdded) - countOf(trace, EventKind.heapCreated);
    expect(gaps).toBeGreaterThan(0); // a new segment where the old one could not be extended
    const proof = proveTrace(trace, 10);
    expect(proof.problem).toBeUndefined();
  });

  test('holds in the checked build, with the same offsets', { timeout: 5 * kMinutes }, async () => {
    const options = { seed: 3, operations: kChecked, checkEvery: 500 };
    const { run, trace } = await traced(options, 'checked');
    expect(proveTrace(trace, 10).problem).toBeUndefined();
    expect((await runContract({ ...options, variant: 'release' })).report).toBe(run.report);
  });

  test('proves the model after every single operation', { timeout: 5 * kMinutes }, async () => {
    const operations = kEvery ? 2000 : 700;
    const { trace } = await traced({ seed: 4, operations, checkEvery: 1 });
    const proof = proveTrace(trace, 1);
    expect(proof.problem).toBeUndefined();
    expect(proof.checkpoints).toBeGreaterThan(operations);
    expect(proof.provedBackward).toBe(proof.checkpoints);
  });

  test('a single changed word of the trace is found', { timeout: kMinutes }, async () => {
    const { trace } = await traced({ seed: 5, operations: 3000, checkEvery: 100 });
    for (const kind of [EventKind.chunkSplit, EventKind.binInserted, EventKind.chunkTaken, EventKind.nodeTaken]) {
      const event = lastOf(trace, kind);
      const damaged = new Trace();
      for (let i = 0; i < trace.count; ++i) {
        const b = i === event ? trace.b(i) + 16 : trace.b(i);
        damaged.appendEvent(
          trace.head(i),
          i === event && kind === EventKind.nodeTaken ? trace.a(i) + 4 : trace.a(i),
          b,
          trace.c(i),
        );
      }
      expect(proveTrace(damaged, 1000).problem, `kind ${kind}`).toBeDefined();
    }
  });
});

function countOf(trace: Trace, kind: EventKind): number {
  let count = 0;
  for (let event = 0; event < trace.count; ++event) if (trace.kind(event) === kind) ++count;
  return count;
}

/** The last event of a kind in the middle of the trace, so that a checkpoint follows. */
function lastOf(trace: Trace, kind: EventKind): number {
  for (let event = trace.count >>> 1; event > 0; --event) if (trace.kind(event) === kind) return event;
  throw new Error(`the trace has no event of kind ${kind}`);
}
