// The last frame, and of the parts that are not in every frame the last one there was.
//
//   last.1  While it plays an explanation stays until there is another: it is to be read. One of events that do not lie behind
//           the moment shown is of another story, and goes.
//   last.2  Of a story nothing is left when another one begins.

import type {
  CachesFrame,
  CompareFrame,
  ExplainFrame,
  Frame,
  SitesFrame,
  SizesFrame,
  TimelineFrame,
} from '../protocol/frames.ts';

interface Parts {
  readonly explained: ExplainFrame | undefined;
  readonly caches: CachesFrame | undefined;
  readonly sizes: SizesFrame | undefined;
  readonly sites: SitesFrame | undefined;
  readonly compare: CompareFrame | undefined;
}

export type LastFrames = ReturnType<typeof createLastFrames>;

const kNoParts: Parts = {
  explained: undefined,
  caches: undefined,
  sizes: undefined,
  sites: undefined,
  compare: undefined,
};

export function createLastFrames() {
  let frame: Frame | undefined;
  let timeline: TimelineFrame | undefined;
  let parts = kNoParts;

  /** last.1 */
  const stillExplained = ({ status }: Frame): ExplainFrame | undefined => {
    const begin = parts.explained?.lines[0]?.seq;
    return begin !== undefined && begin < status.seq ? parts.explained : undefined;
  };

  return {
    frame: () => frame,
    timeline: () => timeline,
    parts: () => parts,
    /** What tables can be made of. */
    tables: () => frame && { frame, timeline, ...parts },
    take(next: Frame, playing: boolean): void {
      frame = next;
      timeline = next.timeline ?? timeline;
      parts = {
        explained: next.explain ?? (playing ? stillExplained(next) : undefined),
        caches: next.caches ?? parts.caches,
        sizes: next.sizes ?? parts.sizes,
        sites: next.sites ?? parts.sites,
        compare: next.compare,
      };
    },
    /** last.2 */
    forget(): void {
      parts = kNoParts;
    },
  };
}
