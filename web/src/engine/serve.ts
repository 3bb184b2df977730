// An engine's thread: messages to requests and back, slices of a run in between.
//
//   K1  A slice is asked for through a MessageChannel, so requests that arrived meanwhile are handled before the next.
//   K2  Of several frame requests that wait only the newest is made; the others are answered by 'failed'.
//   K3  Every array of a reply is transferred, not copied.

import type { FromEngine, Note, Reply, Request, RequestMessage } from '../protocol/messages.ts';
import { transfersOf } from './transfers.ts';

/** What serves requests: the engine of the page, or that of a viewer. */
export interface Served {
  handle(request: Request): Promise<Reply>;
  /** Runs one slice of what is under way. True when there is more to do. */
  tick(): boolean;
}

/** The worker's end of the wire. */
export interface Scope {
  postMessage(message: FromEngine, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<RequestMessage>) => void) | null;
}

/** Serves what comes to `scope`. `make` gets the way in which the engine says something by itself. */
export function serve(scope: Scope, make: (note: (note: Note) => void) => Served): void {
  const post = (message: FromEngine, transfer: Transferable[] = []) => scope.postMessage(message, transfer);
  const engine = make((note) => post({ note }));
  const waiting: RequestMessage[] = [];
  const turn = new MessageChannel();
  let asked = false; // a turn is under way

  function askForTurn(): void {
    if (asked) return;
    asked = true;
    turn.port2.postMessage(undefined);
  }

  function takeNext(): RequestMessage | undefined {
    const next = waiting.shift();
    if (next?.request.type !== 'frame') return next;
    if (!waiting.some((later) => later.request.type === 'frame')) return next;
    reply(next.id, { type: 'failed', message: 'a newer frame was asked for' });
    return takeNext();
  }

  function reply(id: number, answer: Reply): void {
    post({ id, reply: answer }, transfersOf(answer));
  }

  turn.port1.onmessage = async () => {
    const next = takeNext();
    if (next !== undefined) reply(next.id, await engine.handle(next.request));
    const more = waiting.length > 0 ? true : engine.tick();
    asked = false;
    if (more || waiting.length > 0) askForTurn();
  };

  scope.onmessage = (event: MessageEvent<RequestMessage>) => {
    waiting.push(event.data);
    askForTurn();
  };
}
