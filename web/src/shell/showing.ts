// What is shown, given to every view: the last frame, the state, and how far the session is.
//
//   frame ──▶ take ──▶ refresh ──▶ bars, map, panels          state ──▶ refresh.ts ──▶ refresh
//
//   show.1  Everything follows from the store, the session's progress and the last frame; nothing is kept beside them.
//   show.2  Views write only what differs.

import { kReadableSpeed } from '../moment/frame_request.ts';
import type { Now, Shown } from '../panels/panel.ts';
import type { Frame } from '../protocol/frames.ts';
import { createLit } from './ask/lit.ts';
import type { Layout } from './layout.ts';
import type { PageCore } from './page_core.ts';
import type { PageViews } from './page_views.ts';

/** Fewer events between two frames than this are one step, whose changes may be animated. */
const kOneStep = 64;

export interface ShowingOptions {
  readonly core: PageCore;
  readonly layout: Layout;
  readonly views: PageViews;
  /** What the document is called; undefined: it is not the page's (guest.1). */
  readonly title: (() => string) | undefined;
  /** Receives what is shown. */
  readonly shown: ((frame: Frame) => void) | undefined;
}

export function createShowing({ core, layout, views, title, shown }: ShowingOptions) {
  const { store, session, frames, scenarios, loop, asking, standing } = core;
  const lit = createLit();
  const { top, aboveMap, centre, panels, bottom, share } = views;
  let waits = false; // the last frame stands before the moment that is asked for, which its source has not come to (F4)

  return {
    /** Takes a frame. */
    show(next: Frame, refresh: () => void): void {
      const before = frames.frame();
      const moved = Math.abs(next.status.seq - (before?.status.seq ?? 0));
      const state = store.get();
      const animate = moved > 0 && moved < kOneStep && (!state.playing || state.speed <= kReadableSpeed);
      frames.take(next);
      centre.show(next, state.selected, { animate, arrives: waits });
      waits = state.cursor > next.status.head && !state.follow && !state.playing;
      refresh();
      shown?.(next);
      asking.shown();
      standing.shown();
      if (before === undefined) loop.invalidate(); // by now the map knows what it is to show
    },
    refresh(): void {
      const state = store.get();
      const progress = session.progress();
      const { running } = progress;
      const frame = frames.frame();
      const now: Now = { state, scenarios: scenarios(), running };
      layout.show(state.tab);
      if (title !== undefined) layout.title(title());
      top.update(state, scenarios(), frame);
      aboveMap.update(state, scenarios(), frames.timeline());
      bottom.update(state, progress, frame, frames.timeline(), asking.answer());
      for (const view of panels) view.refresh?.(now);
      if (frame === undefined) return;
      centre.lit(lit(asking.answer(), frame.status.seq));
      centre.refresh();
      share.update();
      const all: Shown = { ...now, frame, parts: frames.parts(), moving: state.playing || running };
      for (const view of panels) view.show?.(all);
    },
  };
}
