// Brings the events of a running program to an engine, as they come, and asks the program for its proofs.
//
//   recorder ──packets──▶ feed ──a request each──▶ engine        heed: drain, now and then a checkpoint
//
//   feed.1  What the engine has not answered yet is bounded. Beyond the bound the feed lets go of the program, waits for the engine,
//       and begins anew as one that attaches late: how many events are missing, a snapshot, and on from there.
//   feed.2  A recorder says its own losses. What a feed missed between two subscriptions it says itself, by events_lost in front of the
//       snapshot, where the recorder has not.
//   feed.3  A checkpoint is asked for when events came since the last and the program rests, or a second has gone by; and never so
//       often that walking the heap takes more than a twentieth of the time. Its own records are no news.
//   feed.4  Who owns a feed calls heed() as long as somebody looks, once a screen frame; the feed has no timer. At rest that asks the
//       recorder for news, twenty times a second, and does nothing else.
//   feed.5  What the engine keeps is bounded too. Behind `mostEvents` the feed lets go, has the engine begin a new trace, and goes on
//       with a snapshot: what came before is no longer there to look at. A trace is at least twice what it began with.

import { EventKind, kEventLayout } from '../protocol/event_layout.ts';
import type { Packet } from '../record/recorder_types.ts';
import type { LiveRecorder } from './live_recorder.ts';

const kEventWords = kEventLayout.bytes / 4;
/** Some 20 bytes each: 340 MB. */
export const kMostEvents = 2 ** 24;
const kMostUnanswered = 2 ** 28; // bytes: sixteen million events, more than a second of the quickest program
const kHeedEveryMs = 50;
const kProofEveryMs = 1000;
const kProofShare = 20;

export interface FeedOptions {
  readonly recorder: LiveRecorder;
  /** Brings records to the engine; resolves when they are applied. The buffer is given away. */
  send(records: ArrayBuffer): Promise<unknown>;
  failed(error: unknown): void;
  /** Bytes sent that are not applied yet, at most. Default 256 MiB. */
  readonly mostUnanswered?: number;
  /** feed.5. Without it everything is kept: for a recorder that can make no snapshot. */
  readonly bound?: {
    readonly mostEvents: number;
    /** Has the engine begin a new trace; resolves when it has. */
    renew(): Promise<unknown>;
  };
}

/** The number of events to keep, or an error that names the option. */
export function checkMostEvents(value: unknown, name: string): number {
  const events = typeof value === 'boolean' ? 0 : Number(value);
  if (events >= 1) return events;
  throw new TypeError(`${name} is a number of events from 1 on, not ${JSON.stringify(value)}`);
}

export interface Feed {
  /** Asks for news and proofs when it is time for them. */
  heed(): void;
  /** Asks for news now. */
  refresh(): void;
  stop(): void;
}

export function startFeed(options: FeedOptions): Feed {
  const { recorder, send, failed, bound, mostUnanswered = kMostUnanswered } = options;
  const kept = makeKeptCount(bound?.mostEvents);
  const proofs = makeProofs(recorder);
  let unanswered = 0;
  let stopped = false;
  let unsubscribe: (() => void) | undefined;
  let end: number | undefined; // sequence number behind the last packet; undefined: none came yet
  let isRenewed = false;

  subscribe();

  function subscribe(): void {
    let current = true;
    let first = end !== undefined;
    const stop = recorder.subscribe(
      (packet) => {
        if (!current || packet.records.length === 0) return;
        take(packet, first);
        first = false;
      },
      { past: end === undefined && !isRenewed, from: end },
    );
    unsubscribe = () => {
      current = false;
      unsubscribe = undefined;
      stop();
    };
    if (stopped || unanswered > mostUnanswered) unsubscribe(); // the past alone was too much
  }

  function take({ from, records, repeated = 0 }: Packet, behindGap: boolean): void {
    const said = kindAt(records, 0) === EventKind.eventsLost;
    const missing = behindGap ? Math.max(0, from - (end ?? 0)) : 0;
    const own = ownRecords(records, said, behindGap ? missing : undefined);
    end = from + records.length / kEventWords - repeated - (said ? 1 : 0);
    proofs.note(records);
    kept.add(own.length / kEventWords, said || missing > 0, records);
    void bring(own);
  }

  async function bring({ buffer }: Uint32Array<ArrayBuffer>): Promise<void> {
    const bytes = buffer.byteLength;
    unanswered += bytes;
    if (unanswered > mostUnanswered || kept.isFull()) unsubscribe?.();
    await orFail(() => send(buffer));
    unanswered -= bytes;
    if (unanswered > 0 || unsubscribe !== undefined || stopped) return;
    if (bound !== undefined && kept.isFull()) {
      await orFail(bound.renew);
      isRenewed = true;
      end = undefined;
      kept.renew();
    }
    if (!stopped) subscribe();
  }

  async function orFail(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const known = stopped;
      stop();
      if (!known) failed(error);
    }
  }

  function stop(): void {
    stopped = true;
    unsubscribe?.();
  }

  const heed = () => {
    if (unsubscribe !== undefined) proofs.heed();
  };
  return { heed, refresh: () => recorder.drain(), stop };
}

/**
 * A copy for the engine. feed.2: behind a gap it says how many events are `missing`: who is attached late gets the number of all events
 * before, and this one has had most of them.
 */
function ownRecords(records: Uint32Array, said: boolean, missing: number | undefined): Uint32Array<ArrayBuffer> {
  const saying = missing !== undefined && missing > 0 && !said ? kEventWords : 0;
  const own = new Uint32Array(saying + records.length);
  own.set(records, saying);
  if (missing !== undefined && (said || missing > 0)) own.set([EventKind.eventsLost, missing]);
  return own;
}

/** feed.5: events of the engine's trace. */
function makeKeptCount(mostEvents: number | undefined) {
  let kept = 0;
  let keptAtFirst = 0; // with the past or the snapshot that it begins with
  let beginsLate = false; // with a snapshot
  let isBeginning = true; // that is not whole yet

  return {
    /** `isLate`: they begin behind a loss. */
    add(events: number, isLate: boolean, records: Uint32Array): void {
      kept += events;
      if (!isBeginning) return;
      if (keptAtFirst === 0) beginsLate = isLate;
      keptAtFirst = kept;
      isBeginning = beginsLate && !endsSnapshot(records);
    },
    isFull: (): boolean => mostEvents !== undefined && kept > Math.max(mostEvents, 2 * keptAtFirst),
    renew(): void {
      kept = 0;
      keptAtFirst = 0;
      isBeginning = true;
    },
  };
}

/** feed.3, feed.4 */
function makeProofs(recorder: LiveRecorder) {
  let news = 0; // events other than proofs, so far
  let provenNews = 0; // news at the last checkpoint
  let heededNews = 0; // news when it was heeded last
  let heedDueMs = 0;
  let proofDueMs = 0;

  return {
    note(records: Uint32Array): void {
      if (!isProof(records)) news += records.length / kEventWords;
    },
    heed(): void {
      const now = performance.now();
      if (now < heedDueMs) return;
      heedDueMs = now + kHeedEveryMs;
      recorder.drain();
      const resting = news === heededNews;
      heededNews = news;
      if (news === provenNews || (!resting && now < proofDueMs)) return;
      provenNews = news;
      recorder.checkpoint();
      recorder.drain();
      proofDueMs = now + Math.max(kProofEveryMs, (performance.now() - now) * kProofShare);
    },
  };
}

const kindAt = (records: Uint32Array, at: number): number => (records[at] ?? 0) & 0xff;

/** Whether records are checkpoints and nothing else. */
function isProof(records: Uint32Array): boolean {
  for (let at = 0; at < records.length; at += kEventWords) {
    if (kindAt(records, at) !== EventKind.checkpoint) return false;
  }
  return true;
}

function endsSnapshot(records: Uint32Array): boolean {
  for (let at = 0; at < records.length; at += kEventWords) {
    if (kindAt(records, at) === EventKind.snapshotEnded) return true;
  }
  return false;
}
