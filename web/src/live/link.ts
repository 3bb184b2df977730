// A recorder over a wire: the program's end serves it, the glass's end has it.
//
//   program                                   glass
//     recorder ◀─ serveRecorder ◀── ask ─────  remoteRecorder ◀─ feed
//                       └──────── packet ───▶
//
//   link.1  Asking is cheap and packets are not: nothing is sent before somebody subscribed, nor after the last one left.
//   link.2  A packet is copied once, where it leaves the program: its records belong to the recorder.
//   link.4  A message of another shape is dropped (protocol.ts), and a subscription that is asked for twice replaces the first.
//   link.5  A glass has kMostSubscriptions at a time, each of which costs the program a snapshot and a copy of every packet. More are dropped.
//   link.3  Subscriptions are numbered by the glass. What still comes for one that has ended is dropped.

import type { Packet } from '../record/recorder_types.ts';
import type { LiveRecorder, RemoteRecorder } from './live_recorder.ts';
import { type Answer, type Ask, isAnswer, isAsk, type Subscription } from './protocol.ts';
import type { Wire } from './wire.ts';

const kMostSubscriptions = 16; // a glass of ours has one, and another while it begins anew

/** Answers what the other end asks of `recorder`. Returns what ends it, with a reason for the other end. */
export function serveRecorder(wire: Wire, recorder: LiveRecorder, gone: () => void): (reason: string) => void {
  const stops = new Map<number, () => void>();
  const stopAll = () => {
    for (const stop of stops.values()) stop();
    stops.clear();
  };

  function subscribe({ number, past, from: had }: Subscription): void {
    stops.get(number)?.();
    stops.delete(number);
    if (stops.size >= kMostSubscriptions) return; // link.5
    const stop = recorder.subscribe(
      ({ from, records, repeated }) => {
        const own = records.slice();
        wire.post({ packet: { from, records: own, repeated }, number } satisfies Answer, [own.buffer]);
      },
      { past, from: had },
    );
    stops.set(number, stop);
  }

  wire.listen((asked) => {
    if (!isAsk(asked)) return;
    if (asked.ask === 'subscribe') subscribe(asked);
    else if (asked.ask === 'drain') recorder.drain();
    else if (asked.ask === 'checkpoint') recorder.checkpoint();
    else if (asked.ask === 'stop') {
      stops.get(asked.number)?.();
      stops.delete(asked.number);
    } else if (asked.ask === 'bye') {
      stopAll();
      wire.close();
      gone();
    }
  });
  return (reason) => {
    stopAll();
    wire.post({ ended: reason } satisfies Answer);
    wire.close();
  };
}

/** The recorder at the other end of `wire`. */
export function remoteRecorder(wire: Wire): RemoteRecorder {
  const listeners = new Map<number, (packet: Packet) => void>();
  let subscriptions = 0;
  const ask = (asked: Ask) => wire.post(asked);

  const remote: RemoteRecorder = {
    onend: undefined,
    drain: () => ask({ ask: 'drain' }),
    checkpoint: () => ask({ ask: 'checkpoint' }),
    subscribe(listener, { past = false, from } = {}) {
      const number = ++subscriptions;
      listeners.set(number, listener);
      ask({ ask: 'subscribe', number, past, from });
      return () => {
        if (listeners.delete(number)) ask({ ask: 'stop', number });
      };
    },
    close() {
      listeners.clear();
      ask({ ask: 'bye' });
      wire.close();
    },
  };
  wire.listen((answer) => {
    if (!isAnswer(answer)) return;
    if ('packet' in answer) listeners.get(answer.number)?.(answer.packet);
    else if ('ended' in answer) remote.onend?.(answer.ended);
  });
  return remote;
}
