// The engine's thread: messages to requests and back, slices of a run in between.
//
//   K1  A slice is asked for through a MessageChannel, so requests that arrived meanwhile are handled before the next.
//   K2  Of several frame requests that wait only the newest is made; the others are answered by 'failed'.
//   K3  Every array of a reply is transferred, not copied.

import type { FromEngine, Reply, RequestMessage } from '../protocol/messages.ts';
import { Engine } from './engine.ts';
import { transfersOf } from './transfers.ts';

declare const self: DedicatedWorkerGlobalScope;

const post = (message: FromEngine, transfer: Transferable[] = []) => self.postMessage(message, transfer);
const engine = new Engine({ note: (note) => post({ note }) });
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

self.onmessage = (event: MessageEvent<RequestMessage>) => {
  waiting.push(event.data);
  askForTurn();
};
