// What a recorder is made of: a source that knows one kind of program, and a store that keeps packets and passes them on.
//
//   source of events                   recorder.ts        store                             sink
//     linked program    linked/          ┌────────┐         packets.ts: snapshots in the      memory, within a bound
//     module's exports  exports_source ─▶│  one   │─packet─▶  stream say where to begin   ──▶ listeners (live/link.ts: over a wire)
//     instrumented      instrument/      │recorder│         left_store.ts: blocks that        a trace file
//     of another page   live/link.ts     └────────┘           live are restated
//
//  record.S1  Only a source reads memory and calls the program. A drain is a call and at most two block copies, whatever the number of events.
//  record.S2  A source says when the program cannot be called, as inside its malloc: `together` throws then.
//  record.S3  A program of another page or worker has its recorder there. Here is its remote end (live/link.ts), which asks it.

import { joined } from '../trace/trace_writer.ts';
import type { Keep, Packet } from './recorder_types.ts';

/** A program whose events are taken. */
export interface Source {
  /** kTraceVersion of the program; 0: it has written no event yet. */
  readonly version: number;
  readonly mode: 'lossless' | 'drop';
  /** Events written so far. */
  readonly count: number;
  readonly paused: boolean;
  /** Gives what waits to the store; a snapshot behind it where events were lost. */
  drain(): void;
  /** Writes the state of the heaps into the stream. */
  snapshot(): void;
  checkpoint(): void;
  mark(text: string): void;
  pause(): void;
  resume(): void;
  /** Does `work`, whose events stand together; throws when `what` is not possible now (record.S2). */
  together(what: string, work: () => void): void;
  /** The store is asked for more, or for less, than before. */
  settle(): void;
}

/** What a store gives a new listener. */
export interface Listening {
  /** It has the past, or its beginning. Else it waits for a snapshot. */
  readonly known: boolean;
  end(): void;
}

/** Packets in order, within a bound, for listeners. */
export interface PacketStore {
  /** Events that were overwritten in the ring before they were read. */
  readonly lost: number;
  readonly keep: Keep;
  /** Keeps from event `head` on. */
  setKeep(keep: Keep, head: number): void;
  listen(listener: (packet: Packet) => void, past: boolean, head: number): Listening;
  /** What is kept, from event `first` on. Where that is gone, it begins with events_lost and the state. */
  parts(first: number): readonly Uint32Array[];
}

/** The pieces as one array. */
export const joinedWords = (parts: readonly Uint32Array[]): Uint32Array<ArrayBuffer> =>
  new Uint32Array(joined(parts.map(bytesOfWords)).buffer);

export const bytesOfWords = (words: Uint32Array): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
