// The page's end of the wire to the engine: requests with one reply each, notes that come by themselves.
//
//   page ── {id, request} ──▶ worker        C1  every request settles exactly once: its reply, or an error
//   page ◀── {id, reply}  ── worker         C2  at most one frame request is under way and one waits; a newer one
//   page ◀── {note}       ── worker             replaces the waiting one, whose promise resolves to undefined
//                                           C3  once the worker is gone nothing is sent: every request rejects
//                                           C4  a worker that has a frame to make and says nothing at all for `patienceMs`
//                                               is ended; a request before it may take longer, and notes count as a sign
//
// Frames may be asked for on every movement of the mouse; the worker makes one at a time, and always the newest.

import type { Frame } from '../protocol/frames.ts';
import type { FrameRequest, FromEngine, Note, Reply, Request, RequestMessage } from '../protocol/messages.ts';

/** Which reply answers which request. */
interface ReplyTypes {
  readonly scenarios: 'scenarios';
  readonly runScenario: 'started';
  readonly firstMoment: 'firstMoment';
  readonly runScript: 'started';
  readonly sceneSteps: 'sceneSteps';
  readonly runWordIndex: 'started';
  readonly wordTop: 'words';
  readonly wordFind: 'words';
  readonly runText: 'started';
  readonly stopText: 'stopped';
  readonly printed: 'printed';
  readonly openTrace: 'opened';
  readonly stopOpening: 'stopped';
  readonly openStream: 'opened';
  readonly appendEvents: 'opened';
  readonly exportTrace: 'trace';
  readonly operate: 'operated';
  readonly frame: 'frame';
  readonly find: 'found';
  readonly lives: 'lives';
  readonly temporaries: 'temporaries';
  readonly rangeSites: 'rangeSites';
  readonly stack: 'stack';
  readonly answer: 'answered';
  readonly standing: 'standing';
  readonly verify: 'verified';
}
export type ReplyTo<R extends Request> = Extract<Reply, { type: ReplyTypes[R['type']] }>;

/** Why a request was not answered: the engine's own words, or that there is no engine any more. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  /** The worker itself is gone; only a new client helps. */
  readonly gone: boolean;
  constructor(message: string, gone: boolean) {
    super(message);
    this.gone = gone;
  }
}

/** What the client needs of a Worker; a MessagePort with a partner on the same thread has it too. */
export interface EnginePort {
  postMessage(message: RequestMessage, transfer: Transferable[]): void;
  addEventListener(type: 'message' | 'messageerror' | 'error', listener: (event: Event) => void): void;
  terminate?(): void;
}

export interface EngineClient {
  /** Sends a request. Buffers in `transfer` are given away, not copied. */
  request<R extends Request>(request: R, transfer?: Transferable[]): Promise<ReplyTo<R>>;
  /** Newest wins: undefined when a later call replaced this one before it was sent. */
  frame(request: FrameRequest): Promise<Frame | undefined>;
  /** A request is under way. */
  isBusy(): boolean;
  /** Ends the worker; requests under way reject. */
  dispose(): void;
}

export interface EngineListeners {
  note(note: Note): void;
  /** The worker is gone (it could not be loaded, or threw outside a request). Called once. */
  gone(message: string): void;
}

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: EngineError) => void;
}

interface WaitingFrame {
  readonly request: FrameRequest;
  readonly resolve: (frame: Frame | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** C4. Frames take milliseconds; a hundred times the slowest is no slow one. */
const kPatienceMs = 30_000;
const kTooLong = 'the engine took too long over a picture and was ended: try another place or moment, or another trace';

export function createEngineClient(
  port: EnginePort,
  listeners: EngineListeners,
  { patienceMs = kPatienceMs }: { readonly patienceMs?: number } = {},
): EngineClient {
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let frameId = 0; // of the last frame asked for
  let goneBecause: string | undefined;
  let frameUnderWay = false;
  let nextFrame: WaitingFrame | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;

  port.addEventListener('message', (event) => {
    if (!(event instanceof MessageEvent)) return;
    const message = event.data as FromEngine;
    if ('note' in message) {
      bePatient();
      listeners.note(message.note);
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    bePatient();
    if (message.reply.type === 'failed') asked?.reject(new EngineError(message.reply.message, false));
    else asked?.resolve(message.reply);
  });
  port.addEventListener('error', (event) => {
    // A script that cannot be loaded gives a plain Event, one that throws an ErrorEvent.
    const detail = 'message' in event && typeof event.message === 'string' ? event.message : '';
    end(`the engine stopped: ${detail === '' ? 'its script could not be loaded' : detail}`);
  });
  port.addEventListener('messageerror', () => end('the engine sent a message that cannot be read'));

  /** C4, from now on. Two waits of half the time: where the machine slept through one, the worker gets the other. */
  function bePatient(): void {
    clearTimeout(patience);
    if (waiting.size !== 1 || !waiting.has(frameId)) return; // other requests may take their time
    patience = setTimeout(() => {
      patience = setTimeout(() => end(kTooLong), patienceMs / 2);
    }, patienceMs / 2);
  }

  function end(message: string): void {
    if (goneBecause !== undefined) return;
    goneBecause = message;
    clearTimeout(patience);
    port.terminate?.();
    for (const asked of waiting.values()) asked.reject(new EngineError(message, true));
    waiting.clear();
    nextFrame?.reject(new EngineError(message, true));
    nextFrame = undefined;
    listeners.gone(message);
  }

  function send<R extends Request>(request: R, transfer: Transferable[]): Promise<ReplyTo<R>> {
    if (goneBecause !== undefined) return Promise.reject(new EngineError(goneBecause, true));
    const id = nextId++;
    return new Promise((resolve, reject) => {
      // The engine answers a request of type T with ReplyTypes[T] or 'failed', and 'failed' was taken out above.
      if (request.type === 'frame') frameId = id;
      waiting.set(id, { resolve: resolve as (reply: Reply) => void, reject });
      port.postMessage({ id, request }, transfer);
      bePatient();
    });
  }

  async function sendFrame(asked: WaitingFrame): Promise<void> {
    frameUnderWay = true;
    try {
      asked.resolve((await send({ type: 'frame', frame: asked.request }, [])).frame);
    } catch (error) {
      asked.reject(error);
    } finally {
      frameUnderWay = false;
      const next = nextFrame;
      nextFrame = undefined;
      if (next !== undefined) void sendFrame(next);
    }
  }

  return {
    request: (request, transfer = []) => send(request, transfer),
    frame: (request) =>
      new Promise((resolve, reject) => {
        const asked = { request, resolve, reject };
        if (!frameUnderWay) {
          void sendFrame(asked);
          return;
        }
        nextFrame?.resolve(undefined);
        nextFrame = asked;
      }),
    isBusy: () => waiting.size > 0,
    dispose() {
      listeners = { note: () => {}, gone: () => {} };
      end('the engine was closed');
    },
  };
}
