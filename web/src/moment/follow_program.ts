// A program that runs elsewhere: its events go to the engine as they come, from the beginning again when they are too many.
//
//   fp.1  One program is followed at a time; news of another one are dropped.

import { type Seq, seq } from '../base/brand.ts';
import { formatCount } from '../base/format.ts';
import type { EngineClient } from '../client/engine_client.ts';
import { type Feed, kMostEvents, startFeed } from '../live/feed.ts';
import type { LiveSource } from './session.ts';

export interface FollowListeners {
  /** So many events there are now. */
  moved(head: Seq): void;
  /** No more come. */
  ended(): void;
  notice(message: string): void;
}

export function createFollowing(client: () => EngineClient, { moved, ended, notice }: FollowListeners) {
  let feed: Feed | undefined;

  function stop(): void {
    feed?.stop();
    feed = undefined;
  }

  function start({ recorder, name }: LiveSource): void {
    const isFollowed = () => feed === followed; // fp.1
    const followed: Feed = startFeed({
      recorder,
      async send(records) {
        const { events } = await client().request({ type: 'appendEvents', records }, [records]);
        if (isFollowed()) moved(seq(events));
      },
      failed: (error) => notice(error instanceof Error ? error.message : String(error)),
      bound: {
        mostEvents: kMostEvents,
        async renew() {
          await client().request({ type: 'openStream', name });
          if (!isFollowed()) return;
          moved(seq(0));
          notice(
            `The page keeps ${formatCount(kMostEvents)} events: the trace begins anew here, with a snapshot of ${name}.`,
          );
        },
      },
    });
    recorder.onend = (reason) => {
      if (!isFollowed()) return;
      stop();
      ended();
      notice(`${name} is not followed any more: ${reason}`);
    };
    feed = followed;
  }

  return {
    start,
    stop,
    /** Asks it for all that is new, at once. */
    refresh: () => feed?.refresh(),
    /** Once a screen frame. True while a program is followed. */
    heed(): boolean {
      feed?.heed();
      return feed !== undefined;
    },
  };
}
