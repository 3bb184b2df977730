// The engine in Node on a trace file: how long opening takes, and going to random moments. Timed here, beside the
// engine, so that nothing but the engine is measured.

import { addr, bytes, type Seq, seq } from '../../../web/src/base/brand.ts';
import { createRandom } from '../../../web/src/base/random.ts';
import { Engine } from '../../../web/src/engine/engine.ts';
import type { MapFrame, MapViewport } from '../../../web/src/protocol/map_frames.ts';
import type { FrameRequest } from '../../../web/src/protocol/messages.ts';
import { kNothing } from '../../web/engine/no_frame_parts.ts';

const kSeed = 7;
const kMap = { rows: 32, columns: 768 }; // about what a 1440x900 window shows

const frameRequest = (at: Seq, map: MapViewport | undefined): FrameRequest => ({
  ...kNothing,
  at: { to: 'seq', seq: at },
  map,
});

/** An engine with the trace open; milliseconds it took. */
export async function open(file: ArrayBuffer): Promise<{ readonly engine: Engine; readonly ms: number }> {
  const engine = new Engine({ note: () => {} });
  const copy = file.slice(0);
  const begun = performance.now();
  const reply = await engine.handle({ type: 'openTrace', name: 'bench.hgtrace', file: copy });
  const ms = performance.now() - begun;
  if (reply.type !== 'opened') throw new Error(`not opened: ${JSON.stringify(reply)}`);
  if (reply.notice !== undefined) throw new Error(reply.notice);
  return { engine, ms };
}

/** Milliseconds of each of `count` random seeks; with the map of the whole heap, or the state's figures alone. */
export async function seeks(engine: Engine, events: number, count: number, withMap: boolean): Promise<number[]> {
  const { below } = createRandom(kSeed);
  const map = withMap ? await wholeHeap(engine, events) : undefined;
  const times: number[] = [];
  for (let i = 0; i < count; ++i) {
    const to = seq(below(events + 1));
    const begun = performance.now();
    const reply = await engine.handle({ type: 'frame', frame: frameRequest(to, map) });
    times.push(performance.now() - begun);
    if (reply.type !== 'frame' || reply.frame.status.seq !== to) throw new Error(`no frame at ${to}`);
  }
  return times;
}

/** A viewport that shows all segments. */
async function wholeHeap(engine: Engine, events: number): Promise<MapViewport> {
  const probe: MapViewport = { origin: addr(0), bytesPerRow: bytes(4096), ...kMap };
  const reply = await engine.handle({ type: 'frame', frame: frameRequest(seq(events), probe) });
  const segments: MapFrame['segments'] = reply.type === 'frame' ? (reply.frame.map?.segments ?? []) : [];
  const first = Math.min(...segments.map(({ base }) => base));
  const last = Math.max(...segments.map(({ base, size }) => base + size));
  const bytesPerRow = 2 ** Math.ceil(Math.log2((last - first) / kMap.rows));
  return { origin: addr(first - (first % 16)), bytesPerRow: bytes(bytesPerRow), ...kMap };
}
