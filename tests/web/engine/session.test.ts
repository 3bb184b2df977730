// What a session makes of losses and of events that do not fit.

import { expect, test } from 'vitest';
import { Session } from '../../../web/src/engine/session.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { headOf, kindOf, Trace } from '../../../web/src/trace/trace.ts';
import { Drive } from '../model/drive.ts';
import { recordsOf, snapshotOf } from '../model/snapshot_of.ts';
import { makeEngine, scenarioOf } from './harness.ts';

const kMark = Uint32Array.of(headOf(EventKind.mark, 0), 0, 0, 0);

test('what is lost is one event, with what came behind it until the next update', () => {
  const session = Session.open(new Trace(), 4, {});
  const { trace } = session.model;
  session.append(kMark);
  session.lost(3);
  session.append(Uint32Array.of(...kMark, ...kMark));
  session.lost(4);
  expect(trace.count).toBe(1);
  session.update();
  expect([trace.count, kindOf(trace.head(1)), trace.a(1)]).toEqual([2, EventKind.eventsLost, 9]);
  session.append(kMark);
  expect(trace.count).toBe(3);
});

test('the first event that does not fit is said, and nothing behind it', () => {
  const trace = new Trace();
  trace.append(kMark);
  trace.appendEvent(headOf(EventKind.chunkReleased, 1), 0x4, 64, 0);
  trace.appendEvent(headOf(EventKind.chunkReleased, 1), 0x8, 64, 0);
  const session = Session.open(trace, 4, {});
  expect(session.mismatch).toMatch(/^event 1 does not fit the model: /);
  const first = session.mismatch;
  session.update();
  expect(session.mismatch).toBe(first);
});

test('of a snapshot that differs and a later event that does not fit the first is said, read at once or in pieces', async () => {
  const drive = await Drive.start(5);
  drive.run(300, 70);
  const snapshot = snapshotOf(drive);
  const unfit = Uint32Array.of(headOf(EventKind.chunkReleased, 1), 0x4, 64, 0);
  const parts = [recordsOf(drive.trace, 0, drive.trace.count - 100), snapshot, unfit];
  const whole = new Trace();
  const piecewise = Session.open(new Trace(), 4, {});
  for (const part of parts) {
    whole.append(part);
    piecewise.append(part);
    piecewise.update();
  }
  const atOnce = Session.open(whole, 4, {});
  expect(atOnce.model.history.broken).toBeDefined();
  expect(atOnce.mismatch).toMatch(/^the snapshot of event \d+ differs/);
  expect(piecewise.mismatch).toBe(atOnce.mismatch);
});

test('a step that asks for it ends the slice, so that others get their turn', async () => {
  let steps = 0;
  const restful = scenarioOf('restful', function* () {
    for (; steps < 3; ++steps) yield { chapter: undefined, done: 0, rest: true };
    for (; steps < 6; ++steps) yield { chapter: undefined, done: 0 };
  });
  const { engine, ask } = makeEngine({ scenarios: [restful] });
  await ask({ type: 'runScenario', scenario: 'restful', seed: 1 }, 'started');
  const after: number[] = [];
  while (engine.tick()) after.push(steps);
  expect([...after, steps]).toEqual([0, 1, 2, 6]);
});
