// The engine of traces: opens a file or a stream of events, and answers what is asked about any moment of it. It runs
// nothing and names no wasm module: what a viewer needs, and no more.
//
//   file ──▶ openTrace ──┐                                 openTrace is answered when all was read (opening.ts); until then
//   events ─▶ openStream ┴▶ session ◀── frame, verify, exportTrace      an empty trace is shown, and notes say how far it is
//              appendEvents ──▶┘
//
//   A request that cannot be met throws; handle() turns that into 'failed', and nothing is thrown over the wire.
//   Whatever is shown next ends an opening, and so does stopOpening; it is answered by 'opened', with a notice and no event.

import { callsFrom } from '../model/queries/calls_from.ts';
import { queryLives } from '../model/queries/query_lives.ts';
import type { Frame } from '../protocol/frames.ts';
import type { Found, FrameRequest, Note, Reply, Request } from '../protocol/messages.ts';
import { findEvent } from '../trace/find_event.ts';
import { kEventWords, Trace } from '../trace/trace.ts';
import { encodeTraceFile, findUnknownKind } from '../trace/trace_file.ts';
import { openInSlices, sizeOf, UnreadFile } from './opening.ts';
import { Session } from './session.ts';
import type { WholeQuestions, WholeRequest } from './whole_questions.ts';

const kStreamWordSize = 4; // programs that send their events are wasm32

/** The requests that need no module. */
const kTraceRequests = [
  'openTrace',
  'stopOpening',
  'openStream',
  'appendEvents',
  'exportTrace',
  'frame',
  'find',
  'lives',
  'temporaries',
  'rangeSites',
  'stack',
  'answer',
  'standing',
  'verify',
] as const;
export type TraceRequest = Extract<Request, { type: (typeof kTraceRequests)[number] }>;

export interface TraceEngineOptions {
  /** Answers what is shown of one moment. */
  readonly frame: (session: Session, request: FrameRequest) => Frame;
  /** Answers what is asked of the whole trace; undefined: nobody does. */
  readonly whole?: WholeQuestions;
  /** Gets what the engine says by itself. */
  readonly note?: (note: Note) => void;
  /** Between the slices of an opening: resolves when what arrived meanwhile was answered. Default: at once. */
  readonly pause?: () => Promise<void>;
}

export class TraceEngine {
  readonly #options: TraceEngineOptions;
  #session: Session | undefined;
  #name = 'trace';
  #openings = 0; // begun or ended so far: an opening goes on while nothing was counted since it began

  constructor(options: TraceEngineOptions) {
    this.#options = options;
  }

  async handle(request: Request): Promise<Reply> {
    try {
      if (request.type === 'scenarios') return { type: 'scenarios', scenarios: [] };
      if (!isTraceRequest(request)) throw new Error('this viewer looks at traces and runs no program');
      return await this.answer(request);
    } catch (error) {
      return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Nothing runs by itself here. */
  tick(): boolean {
    return false;
  }

  answer(request: TraceRequest): Reply | Promise<Reply> {
    switch (request.type) {
      case 'openTrace':
        return this.#openTrace(request.name, request.file);
      case 'stopOpening':
        this.#openings++;
        return { type: 'stopped' };
      case 'openStream':
        return this.#openStream(request.name);
      case 'appendEvents':
        return this.#appendEvents(request.records);
      case 'exportTrace':
        return this.#exportTrace();
      case 'frame':
        return { type: 'frame', frame: this.#options.frame(this.open(), request.frame) };
      case 'find':
        return { type: 'found', found: find(this.open(), request) };
      case 'lives':
        return { type: 'lives', lives: queryLives(this.open().model, request.window) };
      case 'temporaries':
      case 'rangeSites':
      case 'stack':
      case 'answer':
      case 'standing':
        return this.#ask(request);
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
    this.#openings++;
    this.#session = session;
    this.#name = name;
  }

  async #openTrace(name: string, file: ArrayBuffer | Blob): Promise<Reply> {
    const title = name.replace(/\.hgtrace$/, '');
    const empty = Session.open(new Trace(), kStreamWordSize, { title });
    this.show(title, empty); // what was open is gone, whatever comes of this
    const opening = this.#openings;
    const { note = () => {}, pause = async () => {} } = this.#options;
    try {
      const session = await openInSlices(file, {
        progress: (read, events) => note({ type: 'opening', name, read, of: sizeOf(file), events }),
        pause,
        cancelled: () => this.#openings !== opening,
      });
      if (session === undefined)
        return { type: 'opened', events: 0, notice: `${name} was not opened: it was cancelled` };
      this.show(title, session);
      return { type: 'opened', events: session.head, notice: session.damage ?? session.mismatch ?? session.waiting };
    } catch (error) {
      empty.damage = `${name}: ${error instanceof Error ? error.message : String(error)}`;
      empty.isTrace = !(error instanceof UnreadFile) || error.isTrace;
      throw new Error(empty.damage);
    }
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

  async #ask(request: WholeRequest): Promise<Reply> {
    const { whole, pause = async () => {} } = this.#options;
    if (whole === undefined)
      throw new Error('this view shows one moment and answers no questions about the whole trace');
    return whole.answer(this.open(), request, pause);
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

function find({ model: { trace, history } }: Session, { wanted, from, by }: Extract<Request, { type: 'find' }>): Found {
  const isCallFrom = wanted.by === 'text' ? callsFrom(history, wanted.text) : undefined;
  return findEvent(trace, wanted, from, by, isCallFrom);
}
