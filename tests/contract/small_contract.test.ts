// The contract for the small front and memory pools: several played threads and up to four pools at a time on the real
// module, a checkpoint of every heap after each round; the model must have each hash, forward and on the way back.

import { describe, expect, test } from 'vitest';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { Trace } from '../../web/src/trace/trace.ts';
import { kEvery } from '../every.ts';
import { Drive } from '../web/model/drive.ts';
import { proveTrace } from './prove_trace.ts';

const kMinutes = 60_000;
const kRounds = kEvery ? 150 : 50;

async function traced(seed: number, rounds: number, operations: number): Promise<Drive> {
  const drive = await Drive.start(seed);
  const checkpoints = () => {
    for (const id of drive.calls.heaps) {
      drive.module.call((functions) => functions.hg_trace_checkpoint(drive.calls.heapPointer(id) ?? 0));
    }
  };
  for (let round = 0; round < rounds; ++round) {
    drive.runSmall(operations, round % 25 < 15 ? 65 : 30);
    checkpoints();
  }
  drive.releaseAll();
  checkpoints();
  drive.module.drain();
  return drive;
}

describe('the contract of the small front', () => {
  test('heap and model agree at every checkpoint, played threads and pools included; undone nothing is left', {
    timeout: 10 * kMinutes,
  }, async () => {
    const { trace, performed } = await traced(1, kRounds, 60);
    const proof = proveTrace(trace, 3);
    expect(proof.problem).toBeUndefined();
    expect(proof.checkpoints).toBeGreaterThan(2 * kRounds); // more than one heap at most of them
    expect(proof.provedBackward).toBeGreaterThan((2 * kRounds) / 3);
    expect([...performed]).toEqual(
      expect.arrayContaining(['smallAllocate', 'smallDeallocate', 'smallFlush', 'smallSqueeze', 'memoryPoolDestroy']),
    );
    console.log(`${proof.events} events, ${proof.checkpoints} checkpoints proved, all undone`);
  });

  test('a batch with one node more, or of another thread, is found', { timeout: 5 * kMinutes }, async () => {
    const { trace } = await traced(2, 20, 60);
    const changed = (kind: EventKind, change: (words: Uint32Array) => void): string | undefined => {
      const last = lastOf(trace, kind);
      const damaged = new Trace();
      for (let event = 0; event < trace.count; ++event) {
        const words = Uint32Array.of(trace.head(event), trace.a(event), trace.b(event), trace.c(event));
        if (event === last) change(words);
        damaged.append(words);
      }
      return proveTrace(damaged, 1000).problem;
    };
    const addOne = (words: Uint32Array) => words.set([(words[2] ?? 0) + 1], 2);
    const byAnother = (words: Uint32Array) => words.set([(words[3] ?? 0) + 1], 3);
    for (const kind of [EventKind.batchFetched, EventKind.batchStored]) {
      expect(changed(kind, () => {})).toBeUndefined();
      expect(changed(kind, addOne), `kind ${kind}`).toMatch(/pool \d+/);
      expect(changed(kind, byAnother), `kind ${kind}`).toMatch(/cache of thread \d+ has/);
    }
  });
});

/** The last event of a kind: what follows are the frees of releaseAll, the flushes and the squeeze. */
function lastOf(trace: Trace, kind: EventKind): number {
  for (let event = trace.count - 1; event > 0; --event) if (trace.kind(event) === kind) return event;
  throw new Error(`the trace has no event of kind ${kind}`);
}
