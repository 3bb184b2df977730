// Free chunks that are kept nowhere: found by the last events that name them, and as well among all chunks, where no event is known.

import { expect, test } from 'vitest';
import { looseChunks, namedLoose } from '../../../../web/src/model/queries/loose_chunks.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { Drive } from '../drive.ts';

test('what the last events name is all that a search of the whole heap finds, at every event', async () => {
  const drive = await Drive.start(23);
  drive.run(600, 80);
  expect(drive.compare()).toBeUndefined();
  const travel = new TimeTravel(drive.history);
  const { trace } = drive;
  const heap = drive.calls.heaps[0] ?? 0;
  let withLoose = 0;
  for (let event = 60; event <= trace.count; event++) {
    travel.seek(event);
    const { state } = travel;
    const entry = state.heap(heap);
    const named = looseChunks(state, entry, trace);
    const searched = looseChunks(state, entry, undefined);
    expect(searched, `event ${event}`).toEqual(named);
    expect(namedLoose(state, entry, trace)).toEqual(named.chunks);
    const { top, victim, free, binBytes } = entry;
    const kept = [top, victim].map((at) => (at === 0 ? 0 : state.sizeOf(state.granuleAt(at))));
    const sum = [...kept, ...binBytes, ...named.chunks.values()].reduce((all, bytes) => all + bytes, 0);
    expect(sum, `event ${event}`).toBe(free);
    if (named.chunks.size === 0) continue;
    withLoose += 1;
    expect(named.largest).toBe(Math.max(...named.chunks.values()));
  }
  expect(withLoose).toBeGreaterThan(200);
});
