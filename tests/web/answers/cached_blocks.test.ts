// What a sentence says of blocks that malloc caches: the program has freed them, so that nobody can free them again.

import { afterAll, expect, test } from 'vitest';
import { answer } from '../../../web/src/answers/answer.ts';
import { chunkStateOf } from '../../../web/src/model/state/chunk_at.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import { ChunkState } from '../../../web/src/protocol/map_frames.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { makeEngine } from '../engine/harness.ts';

const counts = { none: 0, some: 0, all: 0 };
afterAll(() => console.log(`pins that malloc caches: ${JSON.stringify(counts)}`));

/** How many of the blocks in a sentence it says are cached. */
const saidCached = (sentence: string): number =>
  Number((/([\d,]+) (?:blocks? )?that malloc caches/.exec(sentence)?.[1] ?? '0').replaceAll(',', ''));

test('what pins a hole says of how many blocks that malloc has them cached', async () => {
  const { ask, run } = makeEngine();
  await run('malloc');
  const decoded = decodeTraceFile((await ask({ type: 'exportTrace' }, 'trace')).file);
  if (!decoded.ok) throw new Error(decoded.error.message);
  const model = new Model(decoded.value.trace);
  model.history.fold();
  const { count } = decoded.value.trace;
  for (let nth = 1; nth <= 60; ++nth) {
    const event = Math.floor((count * nth) / 60);
    const { sentence, evidence } = answer({ model, event, heap: 0 }, { ask: 'pins' });
    const { state } = model.at(event);
    const cached = evidence.blocks.filter(
      ({ address }) => chunkStateOf(state, state.granuleAt(address)) === ChunkState.cached,
    ).length;
    expect(saidCached(sentence), `${event}: ${sentence}`).toBe(cached);
    counts[cached === 0 ? 'none' : cached < evidence.blocks.length ? 'some' : 'all'] += 1;
  }
  for (const [kind, seen] of Object.entries(counts)) expect(seen, kind).toBeGreaterThan(0);
});
