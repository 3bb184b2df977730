// All messages between a program and a glass in another window or worker. Whoever changes one changes both ends: connect.ts until
// they have a wire, link.ts on it.
//
//   glass                                 program
//     call { glass, id, caller }     ──▶                 how they find each other, over a window or a channel
//                                    ◀──  greeting { program, id, caller, name, channel | a port }
//     ask subscribe, stop, drain,    ──▶                 on the wire between the two
//         checkpoint, bye            ◀──  answer packet or ended

import { kEventLayout } from '../protocol/event_layout.ts';
import type { Packet } from '../record/recorder_types.ts';

const kEventWords = kEventLayout.bytes / 4;

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

/** Subscriptions are numbered by the glass. past, from: as in live_recorder.ts. */
export interface Subscription {
  readonly ask: 'subscribe';
  readonly number: number;
  readonly past: boolean;
  readonly from: number | undefined;
}

/** What a glass asks of the recorder. */
export type Ask =
  | Subscription
  | { readonly ask: 'stop'; readonly number: number }
  | { readonly ask: 'drain' | 'checkpoint' | 'bye' };

export type Answer = { readonly packet: Packet; readonly number: number } | { readonly ended: string };

/** The name of the channel on which the two find each other. */
export const channelOf = (id: string): string => `heapglass-${id}`;

// Whatever comes over a window, a channel or a port is looked at before it is used: the other end may be another version, or no friend.

export const isCall = (data: unknown, id: string): data is Call => isOf(data, 'glass', id);

export function isGreeting(data: unknown, id: string): data is Greeting {
  if (!isOf(data, 'program', id)) return false;
  const { name, channel } = data as Partial<Greeting>;
  return typeof name === 'string' && (channel === undefined || typeof channel === 'string');
}

function isOf(data: unknown, sender: 'glass' | 'program', id: string): boolean {
  const { heapglass, id: known, caller } = (data ?? {}) as Partial<Call | Greeting>;
  return heapglass === sender && known === id && typeof caller === 'string';
}

export function isAsk(message: unknown): message is Ask {
  const { ask, number, past, from } = (message ?? {}) as Readonly<Record<string, unknown>>;
  if (ask === 'drain' || ask === 'checkpoint' || ask === 'bye') return true;
  if (ask === 'stop') return isCount(number);
  return ask === 'subscribe' && isCount(number) && typeof past === 'boolean' && (from === undefined || isCount(from));
}

export function isAnswer(message: unknown): message is Answer {
  const { packet, number, ended } = (message ?? {}) as { packet?: unknown; number?: unknown; ended?: unknown };
  return packet === undefined ? typeof ended === 'string' : isCount(number) && isPacket(packet);
}

function isPacket(packet: unknown): packet is Packet {
  const { from, records, repeated } = (packet ?? {}) as { from?: unknown; records?: unknown; repeated?: unknown };
  const isWhole = records instanceof Uint32Array && records.length % kEventWords === 0;
  return isWhole && isCount(from) && (repeated === undefined || isCount(repeated));
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
