// The recorder of a module without Emscripten's JavaScript, made here from what it exports: its memory, its ring, and the calls that
// start, walk and prove.
//
//   drain() ─▶ ring ─▶ packet ─▶ listeners          imports(): heapglass.drain ─▶ the same, from inside a full ring
//
//   x.1  Without the import the ring drops: who is asked too late finds events overwritten. What the ring still holds behind such a gap
//        cannot be applied; it counts as lost with the rest, and a snapshot follows.
//   x.2  With the import nothing is lost. It runs inside malloc, so nothing of the module is called from it.
//   x.3  Until somebody listens for the first time, records are kept, up to a bound: the module may run before its glass is there.

import type { LiveRecorder } from '../live/live_recorder.ts';
//   x.4  A module that wrote no events yet may have heaps already: recording begins with a snapshot.

import { EventKind, kEventLayout, kRingLayout, kTraceVersion } from '../protocol/event_layout.ts';
import type { Packet } from '../record/recorder_types.ts';
import { HeapViews } from '../wasm/heap_views.ts';
import { Ring } from '../wasm/ring.ts';
import { AttachError } from './attach_error.ts';

const kEventWords = kEventLayout.bytes / 4;
const kMostKept = 2 ** 24; // words: 64 MiB
const kModes = { drop: 0, lossless: 1 } as const;

/** What a module exports that is linked with a trace archive. */
export interface TracedExports {
  readonly memory: WebAssembly.Memory;
  hg_trace_ring(): number;
  hg_trace_start(mode: number): void;
  hg_trace_checkpoint?(heap: number): void;
  hg_trace_snapshot?(): void;
}

/** The import that a module calls when its ring is full. */
export interface TraceImports {
  readonly heapglass: { drain(): void };
}

const kDoors = new WeakMap<TraceImports, (drain: () => void) => void>();

/** Imports for a module that shall lose nothing; give the same object to `attach`. */
export function makeImports(): TraceImports {
  let drain = () => {};
  const imports: TraceImports = { heapglass: { drain: () => drain() } };
  kDoors.set(imports, (to) => {
    drain = to;
  });
  return imports;
}

export const isTraced = (exports: unknown): exports is TracedExports =>
  typeof (exports as Partial<TracedExports>)?.hg_trace_ring === 'function' &&
  (exports as Partial<TracedExports>).memory instanceof WebAssembly.Memory;

export function exportsRecorder(exports: TracedExports, imports: TraceImports | undefined): LiveRecorder {
  const views = new HeapViews(exports.memory);
  const at = exports.hg_trace_ring() >>> 0;
  if (at === 0)
    throw new AttachError('no_recorder', 'the module was linked without probes: link it with --profile trace');
  const version = views.word(at + kRingLayout.version);
  if (version !== kTraceVersion) throw AttachError.ofVersion(version);

  const ring = new Ring(views, () => (draining ? at : exports.hg_trace_ring()));
  const listeners = new Set<(packet: Packet) => void>();
  let draining = false; // inside the module's malloc (x.2)
  let kept: Packet[] | undefined = []; // x.3; undefined: somebody has listened
  let keptWords = 0;
  let next = 0; // number of the first record that nobody took
  let gap = 0; // events lost since the last packet

  function hand(packet: Packet): void {
    for (const listener of listeners) listener(packet);
    if (kept === undefined) return;
    keptWords += packet.records.length;
    if (keptWords > kMostKept)
      kept = undefined; // who comes now comes late
    else kept.push({ from: packet.from, records: packet.records.slice() });
  }

  const sink = {
    append(records: Uint32Array): void {
      const count = records.length / kEventWords;
      const from = next;
      next += count;
      if (gap > 0) gap += count;
      else if (count > 0) hand({ from, records });
    },
    lost(count: number): void {
      next += count;
      gap += count;
    },
  };

  /** x.1: how many are missing, then the state. */
  function bridge(): void {
    const missing = gap;
    gap = 0;
    hand({ from: next, records: Uint32Array.of(EventKind.eventsLost, missing, 0, 0) });
    exports.hg_trace_snapshot?.();
    ring.drain(sink);
  }

  function drain(): void {
    ring.drain(sink);
    if (gap > 0 && !draining) bridge();
  }

  const enabled = views.word(at + kRingLayout.enabled) !== 0;
  const taken = views.word(at + kRingLayout.tailLow);
  next = taken;
  if (taken > 0) kept = undefined;
  if (imports !== undefined) {
    kDoors.get(imports)?.(() => {
      draining = true;
      ring.drain(sink);
      draining = false;
    });
  }
  if (!enabled) {
    exports.hg_trace_start(imports === undefined ? kModes.drop : kModes.lossless);
    bridge(); // x.4
  }

  return {
    drain,
    checkpoint: () => exports.hg_trace_checkpoint?.(0),
    subscribe(listener, { past = false } = {}) {
      drain();
      const before = kept;
      kept = undefined;
      if (past && before !== undefined) for (const packet of before) listener(packet);
      listeners.add(listener);
      if (!past || before === undefined) {
        listener({ from: next, records: Uint32Array.of(EventKind.eventsLost, next, 0, 0) });
        exports.hg_trace_snapshot?.();
        drain();
      }
      return () => listeners.delete(listener);
    },
  };
}
