// Every story runs on the real module: to its end, the same each time, proved by walking the heap.

import { describe, expect, test } from 'vitest';
import { Engine } from '../../../web/src/engine/engine.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import type { Note, Reply, Request } from '../../../web/src/protocol/messages.ts';
import { kScenarios } from '../../../web/src/scenarios/index.ts';
import { detailOf, kindOf } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';

type Of<T extends Reply['type']> = Extract<Reply, { type: T }>;

async function ask<T extends Reply['type']>(engine: Engine, request: Request, type: T): Promise<Of<T>> {
  const reply = await engine.handle(request);
  if (reply.type !== type) throw new Error(reply.type === 'failed' ? reply.message : `a reply ${reply.type}`);
  return reply as Of<T>;
}

async function play(scenario: string, seed: number) {
  const notes: Note[] = [];
  const engine = new Engine({ note: (note) => notes.push(note) });
  await ask(engine, { type: 'runScenario', scenario, seed }, 'started');
  while (engine.tick());
  const { file } = await ask(engine, { type: 'exportTrace' }, 'trace');
  const { frame } = await ask(
    engine,
    {
      type: 'frame',
      frame: {
        at: { to: 'head' },
        map: undefined,
        heap: 0,
        inspect: undefined,
        bin: undefined,
        pool: undefined,
        explain: false,
        timeline: { from: 0 as never, to: 'head', columns: 100 },
      },
    },
    'frame',
  );
  const problems = notes.filter((note) => note.type === 'died' || note.message !== undefined);
  return { engine, file: new Uint8Array(file), frame, problems };
}

describe('scenarios', () => {
  test.each(kScenarios.map(({ info }) => info.id))('%s is told to its end and model = heap there', async (id) => {
    const scenario = kScenarios.find(({ info }) => info.id === id);
    const { frame, problems } = await play(id, 1);
    expect(problems).toEqual([]);
    expect(frame.status.mismatch).toBeUndefined();
    expect(frame.status.verifiedAt).toBe(frame.status.head);
    expect(frame.status.lost).toBe(0);
    expect(frame.timeline?.marks.map((mark) => mark.label)).toEqual(scenario?.info.chapters);
  });

  test('the same seed gives the same trace byte for byte, another seed another', async () => {
    for (const { info } of kScenarios.slice(0, 4)) {
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
});
