// What is shown, given to every view: the last frame, the state, and how far the session is.
//
//   frame ──▶ take ──▶ refresh ──▶ bars, map, panels          state ──▶ refreshSoon ──▶ refresh
//
//   show.1  Everything follows from the store, the session's progress and the last frame; nothing is kept beside them.
//   show.2  Views write only what differs. A refresh is asked for as often as one likes, and made once before the next picture.

import { kReadableSpeed } from '../moment/frame_request.ts';
import { lead } from '../moment/guide.ts';
import type { LastFrames } from '../moment/last_frames.ts';
import { livePool } from '../moment/selection.ts';
import type { Session } from '../moment/session.ts';
import type { Store } from '../moment/state.ts';
import type { PanelView, Shown } from '../panels/panel.ts';
import type { Frame } from '../protocol/frames.ts';
import type { ScenarioInfo } from '../protocol/messages.ts';
import type { createAboveMap } from './above_map.ts';
import type { createBottomBar } from './bottom_bar.ts';
import type { Centre } from './centre.ts';
import type { Layout } from './layout.ts';
import type { createProgramPanels } from './program_panels.ts';
import type { createShare } from './share/share.ts';
import type { createTopBar } from './top_bar.ts';

/** Fewer events between two frames than this are one step, whose changes may be animated. */
const kOneStep = 64;

export interface ShowingOptions {
  readonly store: Store;
  readonly session: Session;
  readonly frames: LastFrames;
  readonly scenarios: () => readonly ScenarioInfo[];
  readonly layout: Layout;
  readonly top: ReturnType<typeof createTopBar>;
  readonly aboveMap: ReturnType<typeof createAboveMap>;
  readonly centre: Centre;
  readonly panels: readonly PanelView[];
  readonly programs: ReturnType<typeof createProgramPanels>;
  readonly bottom: ReturnType<typeof createBottomBar>;
  readonly share: ReturnType<typeof createShare>;
  /** What the document is called; undefined: it is not the page's (guest.1). */
  readonly title: (() => string) | undefined;
  /** Hears what is shown. */
  readonly shown: ((frame: Frame) => void) | undefined;
  /** Another frame is wanted. */
  invalidate(): void;
}

export function createShowing(options: ShowingOptions) {
  const { store, session, frames, scenarios, layout, top, aboveMap, centre, panels, programs, bottom, share } = options;
  let due = 0; // an animation frame that refreshes

  /** show.2 */
  function refreshSoon(): void {
    if (due !== 0) return;
    due = requestAnimationFrame(refresh);
  }

  /** Takes a frame. */
  function show(next: Frame): void {
    const before = frames.frame();
    const moved = Math.abs(next.status.seq - (before?.status.seq ?? 0));
    const state = store.get();
    const animate = moved > 0 && moved < kOneStep && (!state.playing || state.speed <= kReadableSpeed);
    frames.take(next, state.playing);
    centre.show(next, state.selected, animate);
    refresh();
    options.shown?.(next);
    lead(store, next, session.progress().head);
    // The first frame tells which pools there are; the next one brings the first pool's blocks.
    const pool = livePool(state.pool, next);
    if (before === undefined || (pool !== undefined && next.poolBlocks?.pool !== pool)) options.invalidate();
  }

  /** At once. */
  function refresh(): void {
    cancelAnimationFrame(due);
    due = 0;
    const state = store.get();
    const progress = session.progress();
    const frame = frames.frame();
    layout.show(state.tab);
    if (options.title !== undefined) layout.title(options.title());
    top.update(state, scenarios(), frame);
    aboveMap.update(state, scenarios(), frames.timeline());
    bottom.update(state, progress, frame, frames.timeline());
    programs.refresh(state, progress.running);
    if (frame === undefined) return;
    centre.refresh();
    share.update();
    const pool = livePool(state.pool, frame);
    const { running } = progress;
    const moving = state.playing || running;
    const shown: Shown = { frame, state, moving, running, scenarios: scenarios(), pool, ...frames.parts() };
    for (const view of panels) view.show(shown);
    programs.show(frame, state, pool);
  }

  return { show, refresh, refreshSoon, destroy: () => cancelAnimationFrame(due) };
}
