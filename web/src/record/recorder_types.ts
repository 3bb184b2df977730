// What a recorded program's JavaScript has: its recorder. Linked with --profile trace or checked, it is Module.heapglass, on the thread
// that loaded the module.
//
//   the program's threads ─▶ ring ─drain, one copy─▶ packets, in order of `from` ─▶ kept records, listeners, file
//
//  record.T1  A packet is what one drain took: 16-byte records as event.h says, and nothing else. Where events were lost, the packet
//      behind the loss begins with events_lost and a snapshot (event.P6).
//  record.T2  `from` counts records of the ring: of two packets, the one with the smaller `from` comes first. `events_lost` that
//      the recorder puts in is no record of the ring and is not counted.
//
// The recorder itself is recorder.ts over a source of events (source.ts); linked programs have it as JavaScript that is built from
// linked/ (tools/build_recorder.mjs).

import type { TraceNotes } from '../trace/file_parts.ts';

/** Events as one drain took them from the ring. */
export interface Packet {
  /** The ring's sequence number of the first record. */
  readonly from: number;
  readonly records: Uint32Array;
  /** Records behind events_lost that repeat the definitions of sites from before it: not counted in `from`. */
  readonly repeated?: number;
}

/** What is kept in memory: all, nothing (listeners get it), or about the last so many events. */
export type Keep = 'all' | 'none' | number;

export interface Recorder {
  /** kTraceVersion of the program. */
  readonly version: number;
  readonly mode: 'lossless' | 'drop';
  /** Events written since the first malloc, lost ones included. */
  readonly count: number;
  /** Of them not kept, exactly: overwritten in the ring before they were read. */
  readonly lost: number;
  readonly paused: boolean;
  keep: Keep;
  /** Takes what the ring holds now, and hands it to all listeners. */
  drain(): void;
  /**
   * `listener` gets every packet from here on. With `past` it gets all kept records first, else a snapshot first. The function
   * returned ends it. The listener runs inside malloc: it may read, copy and post the records, but not transfer their buffer, which
   * others hold too, and must not call the program.
   */
  subscribe(listener: (packet: Packet) => void, options?: { readonly past?: boolean }): () => void;
  /** Kept records, from the `from`-th event on when that is given; begins with events_lost and a snapshot when the beginning is gone. */
  records(from?: number): Uint8Array;
  /** A trace file of them. */
  trace(notes?: TraceNotes): Uint8Array;
  /** Writes a snapshot of the real heaps into the stream. */
  snapshot(): void;
  /** Writes the walk hash of the default heap into the stream: a reader's model proves itself by it. */
  checkpoint(): void;
  /** Puts a name onto the time line. */
  mark(text: string): void;
  /** Events are no longer written. */
  pause(): void;
  /** They are again; the stream says how many are missing and goes on with a snapshot. */
  resume(): void;
}

/** `Module.heapglassOptions`, read once, before the first event is taken. */
export interface RecorderOptions {
  readonly mode?: 'lossless' | 'drop';
  readonly keep?: Keep;
}
