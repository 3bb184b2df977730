// The page's own reader of the event ring and writer of trace files, for traced random programs. write_trace.mjs
// bundles this.

import { Trace } from '../../../../web/src/trace/trace.ts';
import { encodeTraceFile, type TraceNotes } from '../../../../web/src/trace/trace_file.ts';
import { HeapViews } from '../../../../web/src/wasm/heap_views.ts';
import { Ring } from '../../../../web/src/wasm/ring.ts';

const kWordBytes = 4;

/** Gathers events; `file` makes the trace file of them. */
export function createRecorder() {
  const trace = new Trace();
  const append = (records: Uint32Array) => trace.append(records);
  const sink = {
    append,
    lost(count: number) {
      throw new Error(`a lossless ring lost ${count} events`);
    },
  };
  return {
    /** What was gathered so far. */
    trace,
    append,
    /** What drains a module's ring into this. `locate` is the module's hg_trace_ring. */
    drainOf(memory: WebAssembly.Memory, locate: () => number) {
      const ring = new Ring(new HeapViews(memory), locate);
      return () => ring.drain(sink);
    },
    count: () => trace.count,
    file: (notes: TraceNotes) => encodeTraceFile(trace, kWordBytes, notes),
  };
}
