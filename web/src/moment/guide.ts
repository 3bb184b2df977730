// While the page leads a new visitor: the first block that is born is chosen, and time goes slowly at first.

import { addr } from '../base/brand.ts';
import type { Frame } from '../protocol/frames.ts';
import { ChunkState } from '../protocol/map_frames.ts';
import { guidedSpeed, speedFor } from './playback.ts';
import type { Store } from './state.ts';

export function lead(store: Store, { map: shown, status }: Frame, head: number): void {
  const state = store.get();
  if (!state.guided) return;
  const speed = guidedSpeed(status.seq) ?? speedFor(head);
  const born = shown?.chunks?.state.findIndex((each) => each === ChunkState.inUse || each === ChunkState.poolBlock);
  const block = born === undefined || born < 0 ? undefined : shown?.chunks?.address[born];
  store.set({ speed, selected: state.selected ?? (block === undefined ? undefined : addr(block)) });
}
