// A trace of a million events for the benches, made by real operations on the real module: random blocks of 1 to 512
// bytes around 10,000 live ones, with now and then a burst, an expansion, a large block and pool nodes. Same every time.

import { readFileSync } from 'node:fs';
import { createRandom } from '../../../web/src/base/random.ts';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import { Trace } from '../../../web/src/trace/trace.ts';
import { encodeTraceFile } from '../../../web/src/trace/trace_file.ts';

const kSeed = 1;
const kLive = 10_000;
const kWordBytes = 4;

/** A trace file with exactly `events` events. `wasm`: path of the trace module. */
export async function makeTrace(wasm: string, events: number): Promise<ArrayBuffer> {
  const heap = await createHeap({ trace: true, wasm: new Uint8Array(readFileSync(wasm)) });
  const random = createRandom(kSeed);
  const upTo = (most: number): number => 1 + random.below(most);
  const live: number[] = [];
  const pool = heap.createPool({ nodeSize: 24 });
  const nodes: number[] = [];
  const take = (from: number[]): number => {
    const at = random.below(from.length);
    const taken = from[at] ?? 0;
    const last = from.pop() ?? 0;
    if (at < from.length) from[at] = last;
    return taken;
  };

  while (heap.eventCount < events) {
    for (let step = 0; step < 1000; ++step) {
      const kind = random.unit();
      if (kind < 0.01) live.push(...(heap.allocateMany(upTo(128), upTo(40)) ?? []));
      else if (kind < 0.02) live.push(heap.allocate(upTo(20_000)));
      else if (kind < 0.05 && live.length > 0) {
        const block = take(live);
        const more = heap.expand(block, { minimum: heap.usableSize(block) + upTo(200), backward: true, move: true });
        live.push(more?.address ?? block);
      } else if (kind < 0.15) nodes.push(pool?.allocate() ?? 0);
      else if (kind < 0.24 && nodes.length > 0) pool?.deallocate(take(nodes));
      else if (live.length > kLive) heap.deallocate(take(live));
      else live.push(heap.allocate(upTo(512)));
      if (live.length > kLive + 1000) heap.freeMany(live.splice(0, 500));
    }
  }
  const broken = heap.check();
  if (broken !== undefined) throw new Error(broken);
  const trace = new Trace();
  trace.append(new Uint32Array(heap.events().buffer, 0, events * 4));
  return encodeTraceFile(trace, kWordBytes, { title: `${events} random events` });
}
