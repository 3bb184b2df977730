// The engine of traces: opens a file or a stream of events, and answers what is asked about any moment of it. It runs
// nothing and names no wasm module: what a viewer needs, and no more.
//
//   file ──▶ openTrace ──┐
//   events ─▶ openStream ┴▶ session ◀── frame, verify, exportTrace
//              appendEvents ──▶┘
//
//   A request that cannot be met throws; handle() turns that into 'failed', and nothing is thrown over the wire.

import type { Reply, Request } from '../protocol/messages.ts';
import { findEvent } from '../trace/find_event.ts';
import { kEventWords, Trace } from '../trace/trace.ts';
import { decodeTraceFile, encodeTraceFile, findUnknownKind } from '../trace/trace_file.ts';
import { makeFrame } from './frame.ts';
import { Session } from './session.ts';

const kStreamWordSize = 4; // programs that send their events are wasm32

/** The requests that need no module. */
const kTraceRequests = ['openTrace', 'openStream', 'appendEvents', 'exportTrace', 'frame', 'find', 'verify'] as const;
export type TraceRequest = Extract<Request, { type: (typeof kTraceRequests)[number] }>;

export class TraceEngine {
  #session: Session | undefined;
  #name = 'trace';

  async handle(request: Request): Promise<Reply> {
    try {
      if (request.type === 'scenarios') return { type: 'scenarios', scenarios: [] };
      if (!isTraceRequest(request)) throw new Error('this viewer looks at traces and runs no program');
      return this.answer(request);
    } catch (error) {
      return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Nothing runs by itself here. */
  tick(): boolean {
    return false;
  }

  answer(request: TraceRequest): Reply {
    switch (request.type) {
      case 'openTrace':
        return this.#openTrace(request.name, request.file);
      case 'openStream':
        return this.#openStream(request.name);
      case 'appendEvents':
        return this.#appendEvents(request.records);
      case 'exportTrace':
        return this.#exportTrace();
      case 'frame':
        return { type: 'frame', frame: makeFrame(this.open(), request.frame) };
      case 'find':
        return { type: 'found', found: findEvent(this.open().model.trace, request.wanted, request.from, request.by) };
      case 'verify':
        return this.#verify();
    }
  }

  get session(): Session | undefined {
    return this.#session;
  }

  /** The session, or an error that says what to do first. */
  open(): Session {
    if (this.#session === undefined) throw new Error('nothing is open: run a scenario or open a trace first');
    return this.#session;
  }

  /** From now on this is what is asked about. */
  show(name: string, session: Session): void {
    this.#session = session;
    this.#name = name;
  }

  #openTrace(name: string, file: ArrayBuffer): Reply {
    const title = name.replace(/\.hgtrace$/, '');
    const empty = Session.open(new Trace(), kStreamWordSize, { title });
    this.show(title, empty); // what was open is gone, whatever comes of this
    const decoded = decodeTraceFile(file);
    if (!decoded.ok) {
      empty.damage = `${name}: ${decoded.error.message}`;
      throw new Error(empty.damage);
    }
    const { trace, wordSize, notes, notice } = decoded.value;
    const session = Session.open(trace, wordSize, notes);
    session.damage = notice;
    session.model.history.settle();
    this.show(title, session);
    return { type: 'opened', events: session.head, notice: notice ?? session.mismatch ?? session.waiting };
  }

  #openStream(name: string): Reply {
    this.show(name, Session.open(new Trace(), kStreamWordSize, { title: name }));
    return { type: 'opened', events: 0, notice: undefined };
  }

  #appendEvents(records: ArrayBuffer): Reply {
    const session = this.open();
    if (session.live !== undefined) throw new Error('events come from the running heap; open a trace to append to it');
    const words = new Uint32Array(records, 0, Math.floor(records.byteLength / 4));
    if (words.length % kEventWords !== 0) throw new Error(`${records.byteLength} bytes are no whole number of events`);
    const unknown = findUnknownKind(words);
    if (unknown !== undefined) throw new Error(`there is no event of kind ${unknown}`);
    session.append(words);
    session.update();
    return { type: 'opened', events: session.head, notice: session.mismatch ?? session.waiting };
  }

  #exportTrace(): Reply {
    const session = this.open();
    const file = encodeTraceFile(session.model.trace, session.wordSize, session.notes);
    return { type: 'trace', file, name: `${this.#name}.hgtrace` };
  }

  #verify(): Reply {
    const session = this.open();
    const at = session.verified[session.verified.length - 1];
    return { type: 'verified', at, mismatch: session.mismatch };
  }
}

function isTraceRequest(request: Request): request is TraceRequest {
  return kTraceRequests.some((type) => type === request.type);
}
