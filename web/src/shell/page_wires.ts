// What goes between the views and what they stand on: frames and news up, changes of the state and keys down.

import { createDisposal, type Disposable } from '../base/disposal.ts';
import { listenForDrops } from '../moment/files.ts';
import { createFrameRequest, wantsAnother } from '../moment/frame_request.ts';
import { isOpen } from '../moment/panel_names.ts';
import type { State } from '../moment/state.ts';
import type { Panel } from '../panels/panel.ts';
import type { Frame } from '../protocol/frames.ts';
import type { PartWants } from '../protocol/parts.ts';
import { showEvidence } from './ask/lit.ts';
import { listenForKeys } from './key_listener.ts';
import type { Layout } from './layout.ts';
import type { PageCore } from './page_core.ts';
import type { PageViews } from './page_views.ts';
import type { Refresh } from './refresh.ts';
import { createShowing } from './showing.ts';
import type { Surroundings } from './surroundings.ts';

export interface PageWiresOptions {
  readonly layout: Layout;
  readonly core: PageCore;
  readonly refresh: Refresh;
  readonly surroundings: Surroundings;
  readonly panels: readonly Panel[];
  readonly views: PageViews;
  /** Receives what is shown. */
  readonly shown: ((frame: Frame) => void) | undefined;
}

export function wirePage(options: PageWiresOptions): Disposable {
  const owned = createDisposal();
  wireFrames(options);
  wireSession(options);
  const { layout, core, refresh, surroundings, views } = options;
  const { store, actions, sources } = core;
  owned.defer(
    listenForKeys(surroundings, store, {
      ...actions,
      goTo: views.aboveMap.goTo,
      share: views.share.open,
      search: views.search,
      help: views.top.tools.help,
    }),
  );
  owned.defer(
    listenForDrops(layout.element, {
      trace: (name, file) => void sources.openOwn(name, file),
      text: (name, text) => views.panels.find((view) => view.takeText !== undefined)?.takeText?.(name, text),
    }),
  );
  owned.defer(
    store.subscribe((state, before) => {
      if (state.tab !== before.tab) layout.show(state.tab); // at once: who opens a panel may focus something in it
      views.centre.follow(state, before);
      if (wantsAnother(state, before)) core.loop.invalidate();
      refresh.soon();
    }),
  );
  return owned;
}

/** What a frame is asked to hold, and who shows it. */
function wireFrames({ layout, core, refresh, surroundings, panels, views, shown }: PageWiresOptions): void {
  const { store, session, loop, frames, actions, sources, asking, standing } = core;
  const { centre, bottom } = views;
  const title = surroundings.isGuest ? undefined : () => `${core.title()} · heapglass`;
  const showing = createShowing({ core, layout, views, title, shown });
  const request = createFrameRequest({
    store,
    session,
    frames,
    map: centre.wants,
    parts: (state, readable) => wantsOf(panels, state, readable),
    columns: bottom.columns,
  });
  refresh.connect(showing.refresh);
  asking.connect(refresh.soon, (answer) => showEvidence(answer, centre.map));
  standing.connect(refresh.soon);
  loop.connect({
    request: request.request,
    show(frame) {
      showing.show(frame, refresh.now);
    },
    failed(error) {
      request.forgetTimeline();
      actions.report(error);
    },
  });
  sources.connect((loaded) => {
    loop.forget();
    frames.forget();
    request.forget();
    asking.forget();
    standing.forget();
    centre.forget();
    for (const view of views.panels) view.forget?.(loaded);
  });
}

/** What the panels want of a frame: what they always do, and the one that is open. */
const wantsOf = (panels: readonly Panel[], state: State, readable: boolean): PartWants =>
  Object.assign(
    {},
    ...panels.map((panel) => panel.always?.(state, readable)),
    ...panels.filter(({ id }) => isOpen(panels, state.tab, id)).map((panel) => panel.wants?.(state)),
  );

/** What the session says by itself. */
function wireSession({ core, refresh, views }: PageWiresOptions): void {
  const { session, loop, notice, sources } = core;
  session.connect({
    scenarios(list) {
      core.setScenarios(list);
      refresh.now();
    },
    progress(now) {
      views.bottom.onProgress(now);
      loop.invalidate();
    },
    finished(loaded, message) {
      if (message !== undefined) notice.show(message);
      else for (const view of views.panels) view.finished?.(loaded);
      loop.invalidate();
    },
    opening(now) {
      views.aboveMap.opening(now);
      loop.invalidate();
    },
    died: (message, lines) => notice.show(message, lines, { name: 'Start again', press: sources.restart }),
    notice: (message) => notice.show(message),
  });
}
