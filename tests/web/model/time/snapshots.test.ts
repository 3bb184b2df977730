import { beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../../web/src/base/random.ts';
import { captureKeyframe } from '../../../../web/src/model/state/keyframe.ts';
import { WalkCompare } from '../../../../web/src/model/state/walk_compare.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { MarkCode, nameOfMark, textRecords } from '../../../../web/src/trace/texts.ts';
import { headOf, kEventWords, Trace } from '../../../../web/src/trace/trace.ts';
import { readWalk } from '../../../../web/src/wasm/walk_reader.ts';
import { kEvery } from '../../../every.ts';
import { Drive } from '../drive.ts';
import { recordsOf, snapshotOf } from '../snapshot_of.ts';

const lost = (count: number) => Uint32Array.of(headOf(EventKind.eventsLost, 0), count, 0, 0);

function historyOf(...parts: readonly Uint32Array[]): History {
  const trace = new Trace();
  for (const part of parts) trace.append(part);
  const history = new History(trace);
  history.fold();
  return history;
}

/** What the heaps themselves differ in from the head of another history than the drive's own. */
function differenceFrom(drive: Drive, history: History): string | undefined {
  expect(history.broken).toBeUndefined();
  for (const { id, address } of history.head.heaps.filter((heap) => heap.living)) {
    const compare = new WalkCompare(history.head, id);
    readWalk(drive.module, address, (records) => compare.take(records));
    const difference = compare.finish();
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** Whichever way a state is reached, it is the same. */
function expectSeekable(history: History, seed: number): void {
  const travel = new TimeTravel(history);
  const known = new Map<number, string>();
  const random = createRandom(seed);
  for (let i = 0; i < 60; ++i) {
    const seq = i % 2 === 0 ? random.below(history.head.seq + 1) : (history.barriers.last() ?? 0) - 3 + random.below(6);
    travel.seek(Math.min(Math.max(0, seq), history.head.seq));
    const text = JSON.stringify(captureKeyframe(travel.state));
    expect(known.get(seq) ?? text).toBe(text);
    known.set(seq, text);
  }
  travel.seek(history.head.seq);
  expect(captureKeyframe(travel.state)).toEqual(captureKeyframe(history.head));
}

describe('a snapshot', () => {
  let drive: Drive;
  let early: number; // events before the snapshot
  let snapshot: Uint32Array;
  let late: Uint32Array; // events behind it

  beforeAll(async () => {
    drive = await Drive.start(5);
    drive.run(3000, 70);
    snapshot = snapshotOf(drive);
    early = drive.trace.count;
    drive.run(3000, 40);
    expect(drive.compare()).toBeUndefined();
    late = recordsOf(drive.trace, early, drive.trace.count);
  });
  const eventsTo = (to = early) => recordsOf(drive.trace, 0, to);

  test('that agrees with the model is a proof, and changes nothing', () => {
    const history = historyOf(eventsTo(), snapshot, late);
    const behind = early + snapshot.length / kEventWords;
    expect([history.proofs.slice(), history.barriers.count, history.differs]).toEqual([
      Uint32Array.of(behind),
      0,
      undefined,
    ]);
    expect(differenceFrom(drive, history)).toBeUndefined();
    expectSeekable(history, 1);
  });

  test('is undone event by event as it was applied, into its inside and out of it', () => {
    const history = historyOf(eventsTo(), snapshot, late);
    const behind = early + snapshot.length / kEventWords;
    const travel = new TimeTravel(history);
    for (const edge of [early, behind]) {
      const places = Array.from({ length: 9 }, (_, nth) => edge - 4 + nth);
      const at = (seq: number) => {
        travel.seek(seq);
        return captureKeyframe(travel.state);
      };
      const forward = places.map(at);
      expect(forward.map(({ inSnapshot }) => inSnapshot)).toEqual(places.map((seq) => seq > early && seq < behind));
      expect(places.toReversed().map(at)).toEqual(forward.toReversed());
    }
  });

  test('at the beginning is where a trace that begins late begins', () => {
    const history = historyOf(lost(0), snapshot, late);
    expect(history.barriers.slice()).toEqual(Uint32Array.of(1 + snapshot.length / kEventWords));
    expect(differenceFrom(drive, history)).toBeUndefined();
    expect(history.head.inUse).toBe(drive.history.head.inUse);
    expectSeekable(history, 2);
  });

  test('behind a loss is the state from there on; what the ring still held is kept, and changes nothing', () => {
    const kept = recordsOf(drive.trace, early - 1000, early);
    const history = historyOf(eventsTo(early - 2000), lost(1000), kept, snapshot, late);
    expect([history.lostEvents, history.head.awaiting, history.barriers.count]).toEqual([1000, false, 1]);
    expect(differenceFrom(drive, history)).toBeUndefined();
    const travel = new TimeTravel(history);
    travel.seek(early - 2000);
    const atLoss = captureKeyframe(travel.state);
    for (const seq of [early - 1999, early - 1500, early - 999]) {
      travel.seek(seq);
      expect(captureKeyframe(travel.state)).toEqual({ ...atLoss, seq, awaiting: true });
    }
    expectSeekable(history, 3);
  });

  test('taken in pieces, event by event, gives the same', () => {
    const whole = historyOf(eventsTo(early - 2000), lost(2000), snapshot, late);
    const trace = new Trace();
    const history = new History(trace);
    for (const part of [eventsTo(early - 2000), lost(2000), snapshot, late]) {
      for (let at = 0; at < part.length; at += 7 * kEventWords) {
        trace.append(part.subarray(at, at + 7 * kEventWords));
        history.fold();
      }
    }
    expect(captureKeyframe(history.head)).toEqual(captureKeyframe(whole.head));
    expect(history.inUse.at(history.head.seq)).toBe(drive.history.head.inUse);
  });

  test('that differs from the model says so, and the model goes on with what it says', () => {
    const history = historyOf(eventsTo(early - 500), snapshot, late);
    expect(history.differs?.text).toMatch(/^the snapshot of event \d+ differs from the model: heap \d+, walk record/);
    expect(history.barriers.count).toBe(1);
    expect(differenceFrom(drive, history)).toBeUndefined();
  });

  test('without an end leaves the state as it was before the loss', () => {
    const history = historyOf(eventsTo(), lost(5), snapshot.subarray(0, -kEventWords));
    expect([history.broken, history.head.awaiting]).toEqual([undefined, true]);
    expect(history.head.inUse).toBe(historyOf(eventsTo()).head.inUse);
  });

  test('with any word of it changed is taken as it is, or refused whole', () => {
    const random = createRandom(9);
    const untouched = captureKeyframe(historyOf(eventsTo(), lost(5)).head);
    let refused = 0;
    const tries = kEvery ? 300 : 40;
    for (let i = 0; i < tries; ++i) {
      const wrong = snapshot.slice();
      const at = random.below(wrong.length);
      wrong[at] = random.below(2) === 0 ? random.next() : (wrong[at] ?? 0) ^ (1 << random.below(32));
      const history = historyOf(eventsTo(), lost(5), wrong);
      if (history.broken === undefined) continue;
      ++refused;
      const { seq, inSnapshot } = untouched;
      expect({ ...captureKeyframe(history.head), seq, inSnapshot }).toEqual(untouched);
    }
    expect(refused).toBeGreaterThan((tries * 2) / 3);
  });
});

test('a mark has the text before it as its name', () => {
  const trace = new Trace();
  const name = 'Ebene 3: größer als zwölf Bytes ✓';
  trace.append(textRecords('not this'));
  trace.appendEvent(headOf(EventKind.stringDefined, 0), 1, 0, 0);
  trace.append(textRecords(name));
  trace.appendEvent(headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0);
  trace.appendEvent(headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0);
  const history = new History(trace);
  history.fold();
  expect([...history.marks.slice()].map((mark) => nameOfMark(trace, mark))).toEqual([name, '']);
});
