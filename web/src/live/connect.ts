// How a glass and a program find each other: by an id that both know, in the window that opened the glass or anywhere of
// the same origin.
//
//   glass                                            program
//     opener.postMessage({glass: id})         ──▶      answer with a MessagePort       another origin is fine
//     BroadcastChannel heapglass-<id>: {glass}──▶      answer with the name of a channel of two
//
//   A glass calls again until it is answered. A call names its caller and an answer repeats that name: on the channel every glass
//   gets the answers to all others, and a wire is of two. The messages are those of protocol.ts.
//
//   connect.1  A page that is isolated (threads) has no opener relation with windows it opens; the channel serves it, where
//       glass and program are of one origin.
//   connect.2  Ids of windows come from the browser's source of secrets, so that no other page can ask; those of workers are names that
//       the user gives. Knowing one is not enough: a program answers the windows that it opened, while they show the origin that it
//       opened, and a glass believes its opener alone. Over the channel both are of one origin, which is the limit of trust.
//   connect.3  A glass may come late, come again (a reload) and several may come: each gets a wire of its own.
//   connect.4  A glass that was made by the program's page has its origin. It calls that origin only, and believes that one only: its
//       opener may show another page by now.

import { unguessableName } from '../base/unguessable.ts';
import { remoteRecorder, serveRecorder } from './link.ts';
import type { LiveRecorder, RemoteRecorder } from './live_recorder.ts';
import { type Call, channelOf, type Greeting, isCall, isGreeting } from './protocol.ts';
import { channelWire, portWire, type Wire } from './wire.ts';

const kCallEveryMs = 200;
const kPatienceMs = 10_000;

/** A program that has answered. */
export interface Connection {
  readonly name: string;
  readonly recorder: RemoteRecorder;
}

export interface GlassOptions {
  /** Whether a window, which shows a page of `origin` now, is one that was opened for a glass. Without it no window is answered. */
  readonly isGlass?: (source: MessageEventSource, origin: string) => boolean;
  /** A glass has come. */
  readonly joined?: () => void;
}

/** The program's side: serves every glass that calls for `id`. Returns what ends it. */
export function answerGlasses(
  id: string,
  name: string,
  recorder: LiveRecorder,
  { isGlass, joined = () => {} }: GlassOptions = {},
): (reason: string) => void {
  const ends = new Set<(reason: string) => void>();
  const over = new AbortController();
  const channel = new BroadcastChannel(channelOf(id));
  const wires = new Map<string, string>(); // of callers over the channel

  function welcome(wire: Wire): void {
    const end = serveRecorder(wire, recorder, () => ends.delete(end));
    ends.add(end);
    joined();
  }

  if (isGlass !== undefined) {
    const answer = ({ data, source, origin }: MessageEvent<unknown>) => {
      if (!isCall(data, id) || source === null || !isGlass(source, origin)) return;
      const { port1, port2 } = new MessageChannel();
      welcome(portWire(port1));
      // A blob: document's origin is its maker's; where it is opaque ("null") no origin can be named.
      const to = { targetOrigin: origin === 'null' ? '*' : origin, transfer: [port2] };
      const { caller } = data;
      source.postMessage({ heapglass: 'program', id, caller, name } satisfies Greeting, to);
    };
    window.addEventListener('message', answer, { signal: over.signal });
  }
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isCall(data, id)) return;
    const { caller } = data;
    const wire = wires.get(caller) ?? `${channelOf(id)}-${unguessableName()}`;
    if (!wires.has(caller)) welcome(channelWire(wire));
    wires.set(caller, wire);
    channel.postMessage({ heapglass: 'program', id, caller, name, channel: wire } satisfies Greeting);
  };

  return (reason) => {
    over.abort();
    channel.close();
    for (const end of ends) end(reason);
    ends.clear();
  };
}

/** connect.4; undefined: this document does not say who made it. */
function makersOrigin(): string | undefined {
  const isMade = typeof location !== 'undefined' && location.protocol === 'blob:' && globalThis.origin !== 'null';
  return isMade ? globalThis.origin : undefined;
}

/** The glass's side: calls until a program answers. Rejects after ten seconds, or when `signal` aborts. */
export function callProgram(id: string, signal?: AbortSignal): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const channel = new BroadcastChannel(channelOf(id));
    const caller = unguessableName();
    const call = { heapglass: 'glass', id, caller } satisfies Call;
    const opener = typeof window === 'undefined' ? null : (window.opener as Window | null);

    const programOrigin = makersOrigin();

    const stop = () => {
      over.abort();
      clearInterval(calling);
      clearTimeout(patience);
      channel.close();
    };
    const fail = (message: string) => {
      stop();
      reject(new Error(message));
    };
    const greet = (greeting: Greeting, wire: Wire) => {
      stop();
      resolve({ name: greeting.name, recorder: remoteRecorder(wire) });
    };
    const ask = () => {
      opener?.postMessage(call, programOrigin ?? '*'); // it says nothing but the id that its receiver gave us
      if (opener === null) channel.postMessage(call);
    };

    if (opener !== null) {
      const take = ({ data, source, origin, ports }: MessageEvent<unknown>) => {
        const [port] = ports;
        const isProgram = source === opener && (programOrigin === undefined || origin === programOrigin);
        if (isProgram && port !== undefined && isGreeting(data, id) && data.caller === caller)
          greet(data, portWire(port));
      };
      window.addEventListener('message', take, { signal: over.signal });
    }
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isGreeting(data, id) && data.caller === caller && data.channel !== undefined)
        greet(data, channelWire(data.channel));
    };
    signal?.addEventListener('abort', () => fail('nobody waits for the program any more'), { signal: over.signal });
    const calling = setInterval(ask, kCallEveryMs);
    const patience = setTimeout(
      () => fail(`no program answers to “${id}”: is its page or worker still open?`),
      kPatienceMs,
    );
    ask();
  });
}
