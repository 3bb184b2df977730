// The last frame, and of the parts that are not in every frame the last one there was.

import type {
  CachesFrame,
  CompareFrame,
  ExplainFrame,
  Frame,
  SitesFrame,
  SizesFrame,
  TimelineFrame,
} from '../protocol/frames.ts';
import type { TableSource } from './tables.ts';

interface Parts {
  readonly explained: ExplainFrame | undefined;
  readonly caches: CachesFrame | undefined;
  readonly sizes: SizesFrame | undefined;
  readonly sites: SitesFrame | undefined;
  readonly compare: CompareFrame | undefined;
}

export type LastFrames = ReturnType<typeof createLastFrames>;

export function createLastFrames() {
  let frame: Frame | undefined;
  let timeline: TimelineFrame | undefined;
  let parts: Parts = {
    explained: undefined,
    caches: undefined,
    sizes: undefined,
    sites: undefined,
    compare: undefined,
  };
  return {
    frame: () => frame,
    timeline: () => timeline,
    parts: () => parts,
    /** What tables can be made of. */
    tables: (): TableSource | undefined => frame && { frame, timeline, ...parts },
    take(next: Frame, playing: boolean): void {
      frame = next;
      timeline = next.timeline ?? timeline;
      parts = {
        explained: next.explain ?? (playing ? parts.explained : undefined),
        caches: next.caches ?? parts.caches,
        sizes: next.sizes ?? parts.sizes,
        sites: next.sites ?? parts.sites,
        compare: next.compare,
      };
    },
  };
}
