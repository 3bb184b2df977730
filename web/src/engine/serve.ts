// An engine's thread: messages to requests and back, slices of a run in between.
//
//   K1  A slice is asked for through a MessageChannel, so requests that arrived meanwhile are handled before the next.
//   K2  Of several frame requests that wait only the newest is made; the others are answered by 'failed'.
//   K3  Every array of a reply is transferred, not copied.
//   K4  What reads a whole trace (its opening, temporaries, a stretch of time) does so in slices, with a pause between two, and a run's
//       first moment comes with one of its slices: what arrives meanwhile is answered in between, and before it.

import type { FromEngine, Note, Reply, Request, RequestMessage } from '../protocol/messages.ts';
import { transfersOf } from './transfers.ts';

/** K4 */
const kInSlices: ReadonlySet<Request['type']> = new Set(['openTrace', 'temporaries', 'rangeSites', 'firstMoment']);

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

/** Makes the engine: `note` is how it says something by itself, `pause` how it lets requests in between (K4). */
export type MakeServed = (note: (note: Note) => void, pause: () => Promise<void>) => Served;

/** Serves what comes to `scope`. */
export function serve(scope: Scope, make: MakeServed): void {
  const post = (message: FromEngine, transfer: Transferable[] = []) => scope.postMessage(message, transfer);
  const engine = make((note) => post({ note }), createPause());
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
    if (next !== undefined) {
      const answered = engine.handle(next.request).then((answer) => reply(next.id, answer));
      if (!kInSlices.has(next.request.type)) await answered;
    }
    const more = waiting.length > 0 ? true : engine.tick();
    asked = false;
    if (more) askForTurn();
  };

  scope.onmessage = (event: MessageEvent<RequestMessage>) => {
    waiting.push(event.data);
    askForTurn();
  };
}

/** K4. Resolves in a turn of its own, behind the messages that are here already. */
function createPause(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(undefined);
    });
}
