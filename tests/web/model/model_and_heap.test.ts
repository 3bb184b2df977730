import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { HeapState } from '../../../web/src/model/heap_state.ts';
import { captureKeyframe } from '../../../web/src/model/keyframe.ts';
import { TimeTravel } from '../../../web/src/model/time_travel.ts';
import { kEventNames } from '../../../web/src/protocol/event_layout.ts';
import { Drive } from './drive.ts';

const kRounds = 60;

async function aLongRun(seed: number): Promise<Drive> {
  const drive = await Drive.start(seed);
  for (let round = 0; round < kRounds; ++round) {
    drive.run(250, round % 20 < 12 ? 70 : 35);
    expect(drive.compare()).toBeUndefined();
  }
  return drive;
}

describe('the model and the real heap', () => {
  test.each([1, 2, 3])('are equal after every round of random operations, seed %i', async (seed) => {
    const drive = await aLongRun(seed);
    expect([...drive.performed].sort()).toEqual([
      'allocate',
      'allocateAligned',
      'burstDeallocate',
      'burstNodes',
      'command',
      'deallocate',
      'poolAllocate',
      'poolCreate',
      'poolDeallocate',
      'poolDestroy',
      'poolTrim',
      'reallocate',
      'trim',
    ]);
    drive.releaseAll();
    expect(drive.compare()).toBeUndefined();
    expect(drive.history.head.inUse).toBe(0);
  });

  test('undo to zero gives the empty state, and applying again the same end', async () => {
    const drive = await aLongRun(4);
    const { history } = drive;
    const end = captureKeyframe(history.head);
    history.keyframes.splice(0); // only events lead the way
    const travel = new TimeTravel(history);
    travel.seek(history.head.seq);
    expect(captureKeyframe(travel.state)).toEqual(end);
    travel.seek(0);
    const empty = new HeapState();
    empty.wordSize = travel.state.wordSize;
    expect(captureKeyframe(travel.state)).toEqual(captureKeyframe(empty));
    expect(travel.state.chunks.every((word) => word === 0)).toBe(true);
    expect(travel.state.nodes.every((word) => word === 0)).toBe(true);
    expect(travel.state.pageStarts.every((count) => count === 0)).toBe(true);
    travel.seek(history.head.seq);
    expect(captureKeyframe(travel.state)).toEqual(end);
  });

  test('seek(n) equals replay from zero, from any place and across keyframes', async () => {
    const { history } = await aLongRun(5);
    const random = createRandom(6);
    expect(history.keyframes.length).toBeGreaterThan(1);
    const travel = new TimeTravel(history);
    for (let i = 0; i < 12; ++i) {
      const seq = random.below(history.head.seq + 1);
      travel.seek(seq);
      const replay = new TimeTravel(Object.assign(Object.create(history), { keyframes: [] }));
      replay.seek(seq);
      if (travel.state.sliver !== 0) continue;
      expect(captureKeyframe(travel.state)).toEqual(captureKeyframe(replay.state));
    }
  });

  test('every kind of event that the allocator writes was seen', async () => {
    const drive = await aLongRun(7);
    drive.releaseAll();
    drive.module.drain();
    const seen = new Set<string>();
    for (let seq = 0; seq < drive.trace.count; ++seq) seen.add(kEventNames.get(drive.trace.kind(seq)) ?? 'unknown');
    const host = ['mark', 'checkpoint', 'events_lost'];
    expect([...kEventNames.values()].filter((name) => !seen.has(name) && !host.includes(name))).toEqual([]);
  });
});
