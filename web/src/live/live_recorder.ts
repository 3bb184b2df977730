// What showing a running program needs of its recorder: less than all of it, so that a recorder in another window or worker
// (link.ts) and a traced heap of JavaScript can be shown too.

import type { Packet, Recorder } from '../record/recorder_types.ts';

/** The part of a recorder that showing a running program needs. */
export interface LiveRecorder extends Pick<Recorder, 'drain' | 'checkpoint'> {
  /** `from`: the listener has had all events before this one, and goes on there if the recorder keeps them; others begin with a snapshot. */
  subscribe(
    listener: (packet: Packet) => void,
    options?: { readonly past?: boolean; readonly from?: number | undefined },
  ): () => void;
}

/** A recorder behind a wire. */
export interface RemoteRecorder extends LiveRecorder {
  /** Called once when the other end says that it ends. */
  onend: ((reason: string) => void) | undefined;
  close(): void;
}
