// Opens a trace file slice by slice, so that who waits can be told how far it is and can give up.
//
//   file ── piece ──▶ reader ── records ──▶ trace ── fold ──▶ session      each record is unpacked, checked and applied once
//             ▲                                        │
//             └──────────── note, pause ◀──────────────┘
//
//   L1  A slice is a piece of the file or 65,536 events; other requests are answered between two slices.
//   L2  A Blob is read piece by piece: the bytes of the file are never in memory as a whole.
//   L3  The session is nobody's until the last slice: a file that cannot be read, and one that was given up, leave nothing.

import { Trace } from '../trace/trace.ts';
import { TraceFileReader } from '../trace/trace_file.ts';
import type { TraceFileError } from '../trace/trace_header.ts';
import { Session } from './session.ts';

const kPieceBytes = 262_144;
const kSliceEvents = 65_536;

export interface OpeningSlices {
  /** After each slice but the last. */
  progress(read: number, events: number): void;
  /** Resolves when what arrived meanwhile was answered. */
  pause(): Promise<void>;
  cancelled(): boolean;
}

/** The session of a file; undefined when it was cancelled. Throws, in words, when it is no trace that can be read. */
export async function openInSlices(file: ArrayBuffer | Blob, slices: OpeningSlices): Promise<Session | undefined> {
  const reader = new TraceFileReader();
  const size = sizeOf(file);
  let session: Session | undefined;
  for (let at = 0; at < size && !reader.ended && reader.error === undefined; ) {
    // A part that is longer than a piece is waited for: twice as long each time, so that no byte is copied often.
    const end = Math.min(size, at + Math.max(kPieceBytes, reader.waitingBytes));
    reader.push(await readPiece(file, at, end), (records) => {
      session ??= emptySession(reader);
      session.append(records);
    });
    at = end;
    do {
      session?.foldSlice(kSliceEvents);
      if (slices.cancelled()) return undefined;
      if (at < size || session?.behind) slices.progress(at, session?.head ?? 0);
      await slices.pause();
      if (slices.cancelled()) return undefined;
    } while (session?.behind);
  }
  const rest = reader.finish();
  if (!rest.ok) throw new UnreadFile(rest.error);
  session ??= emptySession(reader);
  session.damage = rest.value;
  session.finishFile();
  return session;
}

/** A file of which no event can be read. */
export class UnreadFile extends Error {
  readonly isTrace: boolean;

  constructor({ message, problem }: TraceFileError) {
    super(message);
    this.isTrace = problem !== 'not_a_trace';
  }
}

/** pre: the header was read */
function emptySession({ header }: TraceFileReader): Session {
  return Session.open(new Trace(header?.traceVersion), header?.wordSize ?? 4, header?.notes ?? {});
}

export const sizeOf = (file: ArrayBuffer | Blob): number => (file instanceof Blob ? file.size : file.byteLength);

async function readPiece(file: ArrayBuffer | Blob, from: number, to: number): Promise<Uint8Array> {
  if (!(file instanceof Blob)) return new Uint8Array(file, from, to - from);
  try {
    return new Uint8Array(await file.slice(from, to).arrayBuffer());
  } catch {
    throw new Error('the file cannot be read any more: it was moved, changed or taken away');
  }
}
