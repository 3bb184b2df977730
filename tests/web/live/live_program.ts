// A running module of the project as the tests of live views use it: its exports, its recorder, and the engine of a viewer.

import { readFileSync } from 'node:fs';
import { exportsRecorder, makeImports, type TracedExports } from '../../../web/src/attach/exports_recorder.ts';
import { TraceEngine } from '../../../web/src/engine/trace_engine.ts';
import { makeFrame } from '../../../web/src/engine/whole_frame.ts';
import type { LiveRecorder } from '../../../web/src/live/live_recorder.ts';
import { EventKind, kRingLayout } from '../../../web/src/protocol/event_layout.ts';

interface HeapExports extends TracedExports {
  hg_heap_allocate(heap: number, size: number): number;
  hg_heap_deallocate(heap: number, mem: number): void;
}

export interface LiveProgram {
  readonly exports: HeapExports;
  readonly recorder: LiveRecorder;
  /** Allocates and frees: some eight events a call. */
  work(calls: number): void;
}

export async function startProgram(mode: 'lossless' | 'drop'): Promise<LiveProgram> {
  const module = new WebAssembly.Module(
    readFileSync(new URL('../../../build/wasm/heapglass-trace.wasm', import.meta.url)),
  );
  const imports = makeImports();
  const given = mode === 'lossless' ? imports.heapglass : { drain: () => {} };
  const env = { emscripten_notify_memory_growth: () => {} };
  const instance = new WebAssembly.Instance(module, { env, heapglass: given });
  const exports = instance.exports as unknown as HeapExports;
  const recorder = exportsRecorder(exports, mode === 'lossless' ? imports : undefined);
  const blocks: number[] = [];
  let state = 1;
  return {
    exports,
    recorder,
    work(calls) {
      for (let i = 0; i < calls; ++i) {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        const at = (state >>> 8) % 300;
        exports.hg_heap_deallocate(0, blocks[at] ?? 0);
        blocks[at] = exports.hg_heap_allocate(0, 8 + ((state >>> 20) % 900));
      }
    },
  };
}

/** An engine with an empty stream open. */
export async function openStream(): Promise<TraceEngine> {
  const engine = new TraceEngine({ frame: makeFrame });
  await engine.handle({ type: 'openStream', name: 'live' });
  return engine;
}

/** Gives records to the engine, as a client does; throws what the engine refuses. */
export async function append(engine: TraceEngine, records: ArrayBuffer): Promise<void> {
  const reply = await engine.handle({ type: 'appendEvents', records });
  if (reply.type === 'failed') throw new Error(reply.message);
}

/** Events of the ring that are in the trace or counted there as lost: all but the counts themselves. */
export function accounted(engine: TraceEngine): number {
  const { trace, history } = engine.open().model;
  let counts = 0;
  for (let event = 0; event < trace.count; ++event) counts += trace.kind(event) === EventKind.eventsLost ? 1 : 0;
  return trace.count - counts + history.lostEvents;
}

/** Events that the module ever wrote. */
export const written = ({ exports }: LiveProgram): number =>
  new DataView(exports.memory.buffer).getUint32(exports.hg_trace_ring() + kRingLayout.headLow, true);

/** What the model says of itself: the last proof, what differs, what is missing. */
export function told(engine: TraceEngine) {
  const { model, verified, mismatch, waiting, head } = engine.open();
  return {
    head: head as number,
    verifiedAt: verified.at(-1) as number | undefined,
    mismatch,
    waiting,
    lost: model.history.lostEvents,
  };
}
