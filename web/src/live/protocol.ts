// All messages between a program and a glass in another window or worker. Whoever changes one changes both ends: connect.ts until
// they have a wire, link.ts on it.
//
//   glass                                 program
//     call { glass, id, caller }     ──▶                 how they find each other, over a window or a channel
//                                    ◀──  greeting { program, id, caller, name, channel | a port }
//     ask subscribe, stop, drain,    ──▶                 on the wire between the two
//         checkpoint, bye            ◀──  answer packet or ended

import type { Packet } from '../record/recorder_types.ts';

/** A glass looks for the program that both know by `id`. */
export interface Call {
  readonly heapglass: 'glass';
  readonly id: string;
  /** Another one for each glass. */
  readonly caller: string;
}

/** The program's answer to one caller. A port comes with it, or it names a channel. */
export interface Greeting {
  readonly heapglass: 'program';
  readonly id: string;
  readonly caller: string;
  readonly name: string;
  /** Of the wire, when it is not a port. */
  readonly channel?: string;
}

/** What a glass asks of the recorder. Subscriptions are numbered by the glass. */
export type Ask =
  | { readonly ask: 'subscribe'; readonly number: number; readonly past: boolean }
  | { readonly ask: 'stop'; readonly number: number }
  | { readonly ask: 'drain' | 'checkpoint' | 'bye' };

export type Answer = { readonly packet: Packet; readonly number: number } | { readonly ended: string };

/** The name of the channel on which the two find each other. */
export const channelOf = (id: string): string => `heapglass-${id}`;

export const isCall = (data: unknown, id: string): data is Call => isOf(data, 'glass', id);
export const isGreeting = (data: unknown, id: string): data is Greeting => isOf(data, 'program', id);

function isOf(data: unknown, sender: 'glass' | 'program', id: string): boolean {
  const { heapglass, id: known } = (data ?? {}) as Partial<Call | Greeting>;
  return heapglass === sender && known === id;
}
