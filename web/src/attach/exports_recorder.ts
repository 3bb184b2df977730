// The recorder of a module without Emscripten's JavaScript, made from what it exports (record/exports_source.ts), and the import by which
// it loses nothing.

import type { LiveRecorder } from '../live/live_recorder.ts';
import { kTraceVersion } from '../protocol/event_layout.ts';
import { makeExportsSource, type TracedExports } from '../record/exports_source.ts';
import { makePackets } from '../record/packets.ts';
import { plainFile } from '../record/plain_file.ts';
import { makeRecorder } from '../record/recorder.ts';
import { joined } from '../trace/trace_writer.ts';
import { AttachError } from './attach_error.ts';

export type { TracedExports };

/** The import that a module calls when its ring is full. */
export interface TraceImports {
  readonly heapglass: { drain(): void };
}

const kDrainSetters = new WeakMap<TraceImports, (drain: () => void) => void>();

/** Imports for a module that shall lose nothing; give the same object to `attach`. */
export function makeImports(): TraceImports {
  let drain = () => {};
  const imports: TraceImports = { heapglass: { drain: () => drain() } };
  kDrainSetters.set(imports, (to) => {
    drain = to;
  });
  return imports;
}

/** Of the exports of a module, or of what has them: those that record; undefined: it has none. */
export function tracedExports(exports: object): TracedExports | undefined {
  const { memory, hg_trace_ring, heapglass_trace_ring } = exports as Partial<TracedExports & TracedCrate>;
  if (!(memory instanceof WebAssembly.Memory)) return undefined;
  if (typeof hg_trace_ring === 'function') return exports as TracedExports;
  return typeof heapglass_trace_ring === 'function' ? ofCrate(exports as TracedCrate) : undefined;
}

/** What a program exports with the Rust crate and its feature trace. */
interface TracedCrate {
  readonly memory: WebAssembly.Memory;
  heapglass_trace_ring(): number;
  heapglass_trace_start(mode: number): void;
  heapglass_trace_checkpoint(heap: number): void;
  heapglass_trace_snapshot(): void;
}

const ofCrate = (crate: TracedCrate): TracedExports => ({
  memory: crate.memory,
  hg_trace_ring: crate.heapglass_trace_ring,
  hg_trace_start: crate.heapglass_trace_start,
  hg_trace_checkpoint: crate.heapglass_trace_checkpoint,
  hg_trace_snapshot: crate.heapglass_trace_snapshot,
});

export function exportsRecorder(exports: TracedExports, imports: TraceImports | undefined): LiveRecorder {
  if (exports.hg_trace_ring() === 0)
    throw new AttachError('no_recorder', 'the module was linked without probes: link it with --profile trace');
  const packets = makePackets();
  const source = makeExportsSource(exports, packets);
  if (source.version !== kTraceVersion) throw AttachError.ofVersion(source.version);
  if (imports !== undefined) kDrainSetters.get(imports)?.(() => source.take());
  source.start(imports === undefined ? 'drop' : 'lossless');
  return makeRecorder(source, packets, (parts, notes) => joined(plainFile(source.file, parts, notes)));
}
