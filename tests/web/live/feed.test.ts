import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkMostEvents, startFeed } from '../../../web/src/live/feed.ts';
import { EventKind, kWalkEvent, WalkKind } from '../../../web/src/protocol/event_layout.ts';
import { accounted, append, openStream, startProgram, told, written } from './live_program.ts';

const unexpected = (error: unknown) => {
  throw error;
};
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
const kInUse = (kWalkEvent + WalkKind.chunkInUse) as EventKind;
const wait = { timeout: 30_000, interval: 5 };

afterEach(() => vi.restoreAllMocks());

describe('a feed', () => {
  test('brings everything from the first event, and the proof at the newest', async () => {
    const program = await startProgram('lossless');
    program.work(5000);
    const engine = await openStream();
    const feed = startFeed({
      recorder: program.recorder,
      send: (records) => append(engine, records),
      failed: unexpected,
    });
    program.work(20_000);
    feed.heed();
    await vi.waitFor(() => expect(told(engine).verifiedAt).toBe(told(engine).head), wait);
    expect(told(engine)).toMatchObject({ mismatch: undefined, waiting: undefined, lost: 0 });
    expect(told(engine).head).toBeGreaterThan(100_000);
    feed.stop();
  });

  test('asks for one proof when the program has come to rest, and for none while nothing happens', async () => {
    const program = await startProgram('lossless');
    const engine = await openStream();
    const feed = startFeed({
      recorder: program.recorder,
      send: (records) => append(engine, records),
      failed: unexpected,
    });
    program.work(100);
    for (let beat = 0; beat < 6; ++beat) {
      feed.heed();
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect(engine.open().model.history.checkpoints.count).toBe(1);
    feed.stop();
  });

  test('asks for no second proof within a second, unless the program rests', async () => {
    const program = await startProgram('lossless');
    const engine = await openStream();
    const { recorder } = program;
    const feed = startFeed({ recorder, send: (records) => append(engine, records), failed: unexpected });
    const now = vi.spyOn(performance, 'now');
    const proof = vi.spyOn(recorder, 'checkpoint');
    const beats = [
      { at: 100, works: true, proofs: 1 },
      { at: 200, works: true, proofs: 1 },
      { at: 300, works: false, proofs: 2 },
      { at: 400, works: false, proofs: 2 },
      { at: 500, works: true, proofs: 2 },
      { at: 1290, works: true, proofs: 2 },
      { at: 1350, works: true, proofs: 3 },
    ];
    for (const { at, works, proofs } of beats) {
      now.mockReturnValue(at);
      if (works) program.work(10);
      feed.heed();
      expect(proof, `at ${at} ms`).toHaveBeenCalledTimes(proofs);
    }
    feed.stop();
  });

  test('keeps no more than its bound: the trace begins anew with a snapshot, and is proved again', async () => {
    const program = await startProgram('lossless');
    const engine = await openStream();
    let renewals = 0;
    let greatest = 0;
    const feed = startFeed({
      recorder: program.recorder,
      async send(records) {
        await append(engine, records);
        greatest = Math.max(greatest, told(engine).head);
      },
      failed: unexpected,
      bound: {
        mostEvents: 50_000,
        async renew() {
          ++renewals;
          await engine.handle({ type: 'openStream', name: 'live' });
        },
      },
    });
    for (let i = 0; i < 20; ++i) {
      program.work(2000);
      feed.refresh();
      await turn();
    }
    program.recorder.checkpoint();
    feed.refresh();
    await vi.waitFor(() => expect(told(engine).verifiedAt).toBe(told(engine).head), wait);
    expect(renewals).toBeGreaterThan(2);
    expect(greatest).toBeLessThan(50_000 + 16_384 + 2000); // a packet more
    expect(told(engine)).toMatchObject({ mismatch: undefined, waiting: undefined });
    expect(accounted(engine)).toBe(written(program));
    feed.stop();
  });

  test('begins anew only when its trace is twice what it began with, however small the bound', async () => {
    const program = await startProgram('lossless');
    const engine = await openStream();
    let renewals = 0;
    const feed = startFeed({
      recorder: program.recorder,
      send: (records) => append(engine, records),
      failed: unexpected,
      bound: {
        mostEvents: 1,
        async renew() {
          ++renewals;
          await engine.handle({ type: 'openStream', name: 'live' });
        },
      },
    });
    program.work(2000); // 300 live blocks: a snapshot is larger than a packet
    for (let i = 0; i < 100; ++i) {
      program.work(20);
      feed.refresh();
      await turn();
    }
    program.recorder.checkpoint();
    feed.refresh();
    await vi.waitFor(() => expect(told(engine).verifiedAt).toBe(told(engine).head), wait);
    expect(renewals).toBeGreaterThan(2);
    expect(renewals).toBeLessThan(50); // a hundred packets came, each smaller than a third of a snapshot
    expect(told(engine)).toMatchObject({ mismatch: undefined, waiting: undefined });
    feed.stop();
  });

  test('counts a snapshot that comes in parts as what its trace began with', async () => {
    const recordsOf = (...kinds: EventKind[]) => Uint32Array.from(kinds.flatMap((kind) => [kind, 0, 0, 0]));
    const { eventsLost, snapshotBegun, snapshotEnded, chunkTaken } = EventKind;
    let bring = (_: Uint32Array) => {};
    let renewals = 0;
    const feed = startFeed({
      recorder: {
        subscribe(listener) {
          bring = (records) => listener({ from: 0, records });
          return () => {};
        },
        drain: () => {},
        checkpoint: () => {},
      },
      send: async () => {},
      failed: unexpected,
      bound: { mostEvents: 1, renew: async () => ++renewals },
    });
    const takes = async (...kinds: EventKind[]) => {
      bring(recordsOf(...kinds));
      await turn();
      return renewals;
    };
    expect(await takes(eventsLost, snapshotBegun, kInUse)).toBe(0);
    for (let part = 0; part < 3; ++part) expect(await takes(kInUse, kInUse, kInUse)).toBe(0);
    expect(await takes(kInUse, snapshotEnded)).toBe(0); // 14 in all
    expect(await takes(...Array.from({ length: 14 }, () => chunkTaken))).toBe(0);
    expect(await takes(chunkTaken)).toBe(1);
    feed.stop();
  });

  test('refuses a bound that is no number of events, by name', () => {
    expect(checkMostEvents(1, 'mostEvents')).toBe(1);
    for (const wrong of [0, -1, 'many', true, Number.NaN]) {
      expect(() => checkMostEvents(wrong, 'mostEvents')).toThrow(/^mostEvents is a number of events from 1 on, not /);
    }
  });

  test('whose engine is slow lets go, begins anew, and says exactly how many events are missing', async () => {
    const program = await startProgram('lossless');
    const engine = await openStream();
    let answer = () => {};
    const slow = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const mostUnanswered = 16 * 30_000;
    const send = async (records: ArrayBuffer) => {
      await slow;
      await append(engine, records);
    };
    const feed = startFeed({ recorder: program.recorder, send, failed: unexpected, mostUnanswered });
    program.work(30_000);
    answer();
    await vi.waitFor(() => expect(told(engine).lost).toBeGreaterThan(0), wait);
    program.work(100);
    feed.refresh();
    program.recorder.checkpoint();
    feed.refresh();
    await vi.waitFor(() => expect(told(engine).verifiedAt).toBe(told(engine).head), wait);
    const { mismatch, waiting, lost } = told(engine);
    expect({ mismatch, waiting }).toEqual({ mismatch: undefined, waiting: undefined });
    expect(lost).toBeGreaterThan(100_000);
    expect(accounted(engine)).toBe(written(program));
    feed.stop();
  });

  test('that is stopped hears nothing more, and the program runs on', async () => {
    const program = await startProgram('lossless');
    const engine = await openStream();
    const feed = startFeed({
      recorder: program.recorder,
      send: (records) => append(engine, records),
      failed: unexpected,
    });
    program.work(10);
    feed.refresh();
    await turn();
    const { head } = told(engine);
    feed.stop();
    program.work(20_000);
    program.recorder.drain();
    await turn();
    expect(told(engine).head).toBe(head);
  });

  test('ends and tells once when the engine refuses what comes', async () => {
    const program = await startProgram('lossless');
    const failed = vi.fn();
    const feed = startFeed({ recorder: program.recorder, send: () => Promise.reject(new Error('no')), failed });
    program.work(40_000);
    await vi.waitFor(() => expect(failed).toHaveBeenCalled(), wait);
    program.work(40_000);
    await turn();
    expect(failed).toHaveBeenCalledTimes(1);
    feed.stop();
  });
});

describe('the recorder of a module without Emscripten', () => {
  test('that drops counts what is missing exactly, and goes on from a walk', async () => {
    const program = await startProgram('drop');
    const engine = await openStream();
    const feed = startFeed({
      recorder: program.recorder,
      send: (records) => append(engine, records),
      failed: unexpected,
    });
    program.work(100);
    feed.refresh();
    program.work(20_000); // far more than the ring holds
    feed.refresh();
    program.work(100);
    program.recorder.checkpoint();
    feed.refresh();
    await vi.waitFor(() => expect(told(engine).verifiedAt).toBe(told(engine).head), wait);
    const { mismatch, lost } = told(engine);
    expect(mismatch).toBeUndefined();
    expect(lost).toBeGreaterThan(100_000);
    expect(accounted(engine)).toBe(written(program));
    feed.stop();
  });

  test('that is asked late, when its past is gone, begins with the number of events before and a walk', async () => {
    const program = await startProgram('drop');
    program.work(20_000);
    const engine = await openStream();
    const feed = startFeed({
      recorder: program.recorder,
      send: (records) => append(engine, records),
      failed: unexpected,
    });
    program.recorder.checkpoint();
    feed.refresh();
    await vi.waitFor(() => expect(told(engine).verifiedAt).toBe(told(engine).head), wait);
    const { mismatch, lost } = told(engine);
    expect(mismatch).toBeUndefined();
    expect(lost).toBeGreaterThan(100_000);
    feed.stop();
  });
});
