// A module without Emscripten's JavaScript as a source of events, by what it exports: its memory, its ring, and the calls that start, walk
// and prove.
//
//   drain() ─▶ ring ─▶ packet          take(), called by the import heapglass.drain ─▶ the same, from inside a full ring
//
//  exports.X1  Without the import the ring drops: who is asked too late finds events overwritten. What the ring still holds behind such a
//      gap cannot be applied; it counts as lost with the rest, and a snapshot follows.
//  exports.X2  With the import nothing is lost. It runs inside malloc, so nothing of the module is called from it.
//  exports.X3  Until somebody listens for the first time, records are kept, up to a bound: the module may run before its glass is there.
//  exports.X4  A module that wrote no events yet may have heaps already: recording begins with a snapshot, behind an unknown past.

import { kRingLayout } from '../protocol/event_layout.ts';
import { ringNumber, ringWord, setTail, unreadIn } from '../wasm/ring.ts';
import { lostRecord, type Packets } from './packets.ts';
import { type FileOf, fileOfRing } from './plain_file.ts';
import { joinedWords, type Source } from './source.ts';

const kMostKept = 2 ** 22; // events: 64 MiB
const kModes = { drop: 0, lossless: 1 } as const;

/** What a module exports that is linked with a trace archive. */
export interface TracedExports {
  readonly memory: WebAssembly.Memory;
  hg_trace_ring(): number;
  hg_trace_start(mode: number): void;
  hg_trace_checkpoint?(heap: number): void;
  hg_trace_snapshot?(): void;
}

export interface ExportsSource extends Source {
  readonly file: FileOf;
  /** Takes a full ring, from inside the module's malloc. */
  take(): void;
  /** Starts the module's events, if it has not done so. */
  start(mode: 'drop' | 'lossless'): void;
}

/** Its ring, and what is known of the events in it. */
interface Tapped {
  readonly exports: TracedExports;
  readonly packets: Packets;
  readonly ring: number;
  isBusy: boolean; // exports.X2
  missing: number | undefined; // events in front of the next packet; undefined: it goes on from the last one
  keptEvents: number;
}

const wordsOf = (tapped: Tapped): Uint32Array => new Uint32Array(tapped.exports.memory.buffer);

function takeUnread(tapped: Tapped): void {
  const { ring } = tapped;
  const words = wordsOf(tapped);
  const head = ringNumber(words, ring, kRingLayout.headLow);
  const { from, count, lost, runs } = unreadIn(words, ring, head);
  if (lost + count === 0) return;
  setTail(words, ring, head);
  if (lost > 0) tapped.missing = (tapped.missing ?? 0) + lost + count;
  else accept(tapped, from, count, runs, ringNumber(words, ring, kRingLayout.snapshotLow));
}

function accept(tapped: Tapped, from: number, count: number, runs: readonly Uint32Array[], snapshot: number): void {
  const { packets, missing } = tapped;
  tapped.missing = undefined;
  if (!packets.wanted) {
    packets.restart();
    return;
  }
  const isBehindGap = missing !== undefined;
  const records = joinedWords(isBehindGap ? [lostRecord(missing), ...runs] : runs);
  packets.accept({ from, count, lost: missing ?? 0, isBehindGap, snapshot, sites: false, records });
  tapped.keptEvents += count;
  if (tapped.keptEvents > kMostKept) packets.setKeep('none', from + count); // exports.X3: who comes now comes late
}

function drain(tapped: Tapped): void {
  if (tapped.isBusy) return;
  const { exports } = tapped;
  exports.hg_trace_ring(); // event.R4
  takeUnread(tapped);
  if (tapped.missing === undefined) return;
  exports.hg_trace_snapshot?.();
  exports.hg_trace_ring();
  takeUnread(tapped);
}

export function makeExportsSource(exports: TracedExports, packets: Packets): ExportsSource {
  const ring = exports.hg_trace_ring() >>> 0;
  const tapped: Tapped = { exports, packets, ring, isBusy: false, missing: undefined, keptEvents: 0 };
  const word = (offset: number): number => ringWord(wordsOf(tapped), ring, offset);

  function head(): number {
    if (!tapped.isBusy) exports.hg_trace_ring();
    return ringNumber(wordsOf(tapped), ring, kRingLayout.headLow);
  }

  return {
    drain: () => drain(tapped),
    get file() {
      return fileOfRing(wordsOf(tapped), ring);
    },
    get version() {
      return word(kRingLayout.version);
    },
    get mode() {
      return word(kRingLayout.mode) === kModes.drop ? 'drop' : 'lossless';
    },
    get count() {
      return head();
    },
    get paused() {
      return word(kRingLayout.enabled) === 0;
    },
    take() {
      tapped.isBusy = true;
      try {
        takeUnread(tapped);
      } finally {
        tapped.isBusy = false;
      }
    },
    start(mode) {
      const taken = ringNumber(wordsOf(tapped), ring, kRingLayout.tailLow);
      packets.setKeep(taken === 0 ? 'all' : 'none', taken);
      if (word(kRingLayout.enabled) !== 0) return;
      exports.hg_trace_start(kModes[mode]);
      tapped.missing = 0; // exports.X4
      drain(tapped);
    },
    snapshot: () => exports.hg_trace_snapshot?.(),
    checkpoint: () => exports.hg_trace_checkpoint?.(0),
    mark: () => notExported('mark'),
    pause: () => notExported('pause'),
    resume: () => notExported('resume'),
    together(what, work) {
      if (!tapped.isBusy) return work();
      throw new Error(`heapglass: a listener runs inside malloc, where ${what} is not possible`);
    },
    settle() {
      if (packets.listeners > 0) packets.setKeep('none', head()); // exports.X3
    },
  };
}

function notExported(what: string): never {
  throw new Error(`heapglass: the module exports nothing for ${what}`);
}
