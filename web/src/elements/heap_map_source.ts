// What an <hg-heap-map> shows, opened in the engine.
//
//   trace, else src ────────▶ openTrace
//   recorder, else heap ────▶ openStream ──▶ follow(): a feed of all of it, then of what is new

import type { EngineClient } from '../client/engine_client.ts';
import { checkMostEvents, type Feed, kMostEvents, startFeed } from '../live/feed.ts';
import { heapRecorder, type WatchedHeap } from '../live/heap_recorder.ts';
import type { LiveRecorder } from '../live/live_recorder.ts';

/** At most one of them; none: the file at the element's `src`. */
export interface HeapMapSource {
  readonly heap?: WatchedHeap | undefined;
  readonly recorder?: LiveRecorder | undefined;
  readonly trace?: ArrayBuffer | Uint8Array | undefined;
}

export interface OpenedSource {
  /** What decoding the file said. */
  readonly notice: string | undefined;
  /** Of a heap or a recorder: brings its events to the engine from now on. */
  follow?(events: FeedEvents): Feed;
}

export interface FeedEvents {
  /** The engine has applied news. */
  applied(): void;
  failed(message: string): void;
  /** What the attribute `most-events` says. */
  readonly mostEvents: string | null;
}

/** Undefined: there is nothing to open, or by now the element shows something newer. */
export async function openSource(
  client: EngineClient,
  { heap, recorder, trace }: HeapMapSource,
  src: string,
  isNewest: () => boolean,
): Promise<OpenedSource | undefined> {
  const recorded = recorder ?? (heap === undefined ? undefined : heapRecorder(heap));
  if (recorded === undefined) {
    const file = await fileOf(trace, src);
    if (file === undefined || !isNewest()) return undefined;
    return client.request({ type: 'openTrace', name: src, file }, [file]);
  }
  const { notice } = await client.request({ type: 'openStream', name: '' });
  // A traced heap keeps its events itself, and makes no snapshot.
  return { notice, follow: (events) => follow(client, recorded, recorded === recorder, events) };
}

/** A buffer of its own with the trace to open. */
async function fileOf(trace: ArrayBuffer | Uint8Array | undefined, src: string): Promise<ArrayBuffer | undefined> {
  if (trace !== undefined) return new Uint8Array(trace).slice().buffer;
  if (src === '') return undefined;
  const response = await fetch(new URL(src, document.baseURI));
  if (!response.ok) throw new Error(`${src}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

function follow(
  client: EngineClient,
  recorder: LiveRecorder,
  bounded: boolean,
  { applied, failed, mostEvents }: FeedEvents,
): Feed {
  const bound = () => ({
    mostEvents: checkMostEvents(mostEvents ?? kMostEvents, 'most-events'),
    renew: () => client.request({ type: 'openStream', name: '' }),
  });
  return startFeed({
    recorder,
    send: async (records) => {
      await client.request({ type: 'appendEvents', records }, [records]);
      applied();
    },
    failed: (error) => failed(textOf(error)),
    ...(bounded ? { bound: bound() } : {}),
  });
}

export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
