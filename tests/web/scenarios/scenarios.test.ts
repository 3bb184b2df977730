// Every story runs on the real module: to its end, the same each time, proved by walking the heap.

import { describe, expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { EventKind, Op, Trial } from '../../../web/src/protocol/event_layout.ts';
import { kScenarios } from '../../../web/src/scenarios/index.ts';
import { detailOf, kindOf } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { makeEngine } from '../engine/harness.ts';

async function play(scenario: string, seed: number) {
  const engine = makeEngine();
  await engine.run(scenario, seed);
  const { file } = await engine.ask({ type: 'exportTrace' }, 'trace');
  const frame = await engine.frame({ timeline: { from: seq(0), to: 'head', columns: 100 } });
  const problems = engine.notes.filter((note) => note.type !== 'progress' || note.message !== undefined);
  return { file: new Uint8Array(file), frame, problems };
}

describe('scenarios', () => {
  // watched_experiments.test.ts and watched_programs.test.ts have the others.
  const told = kScenarios.filter(({ info }) => info.experiment === undefined && info.program === undefined);
  test.each(told.map(({ info }) => info.id))('%s is told to its end and model = heap there', async (id) => {
    const scenario = kScenarios.find(({ info }) => info.id === id);
    const { frame, problems } = await play(id, 1);
    expect(problems).toEqual([]);
    expect(frame.status.mismatch).toBeUndefined();
    expect(frame.status.verifiedAt).toBe(frame.status.head);
    expect(frame.status.lost).toBe(0);
    expect(frame.timeline?.marks.map((mark) => mark.label)).toEqual(scenario?.info.chapters);
  });

  test('the same seed gives the same trace byte for byte, another seed another', async () => {
    for (const { info } of told.slice(0, 4)) {
      const [first, again, other] = [await play(info.id, 7), await play(info.id, 7), await play(info.id, 8)];
      expect(Buffer.compare(first.file, again.file)).toBe(0);
      expect(Buffer.compare(first.file, other.file)).not.toBe(0);
    }
  });

  test('a vector with the command grows in place; one without it moves each time', async () => {
    const decoded = decodeTraceFile((await play('forward_expansion', 1)).file.slice().buffer);
    if (!decoded.ok) throw new Error(decoded.error.message);
    const { trace } = decoded.value;
    const stayed = [0, 0];
    const moved = [0, 0];
    let chapter = -1;
    let reuse = 0;
    for (let at = 0; at < trace.count; at++) {
      const kind = kindOf(trace.head(at));
      const op = detailOf(trace.head(at));
      if (kind === EventKind.mark) chapter = trace.a(at);
      if (kind === EventKind.opBegun && op === Op.command) reuse = trace.a(at);
      if (kind !== EventKind.opEnded || op !== Op.command || reuse === 0) continue;
      const outcome = trace.a(at) === reuse ? stayed : moved;
      outcome[chapter - 1] = (outcome[chapter - 1] ?? 0) + 1;
    }
    expect(moved[0]).toBe(0);
    expect(stayed[0]).toBeGreaterThan(10);
    expect(stayed[1]).toBe(0);
    expect(moved[1]).toBeGreaterThan(10);
  });

  test('backward expansion works backwards, fails with a reason, and works both ways', async () => {
    const decoded = decodeTraceFile((await play('backward_expansion', 1)).file.slice().buffer);
    if (!decoded.ok) throw new Error(decoded.error.message);
    const { trace } = decoded.value;
    const tried = new Map<number, number>();
    for (let at = 0; at < trace.count; at++) {
      if (kindOf(trace.head(at)) !== EventKind.commandTried) continue;
      const detail = detailOf(trace.head(at));
      tried.set(detail, (tried.get(detail) ?? 0) + 1);
    }
    const kWorked = 0x100;
    for (const outcome of [Trial.expandBwd | kWorked, Trial.expandBwd, Trial.expandBoth | kWorked]) {
      expect(tried.get(outcome), `outcome 0x${outcome.toString(16)}`).toBeGreaterThan(3);
    }
  });
});
