// All that stands on the page, made from left to right of this picture: nothing uses what is made after it.
//
//   picker ──▶ centre ──▶ panels ──▶ what opens above the map ──▶ top bar, bottom bar ──▶ share

import type { Addr } from '../base/brand.ts';
import { createDisposal } from '../base/disposal.ts';
import { kDefaultSeed } from '../moment/state.ts';
import type { Panel, PanelView } from '../panels/panel.ts';
import { type Question, topicOf } from '../protocol/answers.ts';
import { createAboveMap } from './above_map.ts';
import { suggestionsOf } from './ask/named.ts';
import { createBottomBar } from './bottom_bar.ts';
import { createCentre } from './centre.ts';
import type { Layout } from './layout.ts';
import type { PageCore } from './page_core.ts';
import type { Refresh } from './refresh.ts';
import { createSaving } from './save_page.ts';
import { createScenarios } from './scenarios/scenarios.ts';
import { createShare } from './share/share.ts';
import type { Surroundings } from './surroundings.ts';
import { tablesOf } from './tables.ts';
import { tabForSelection } from './tabs.ts';
import { createTopBar } from './top_bar.ts';

export interface PageViewsOptions {
  readonly parent: Element;
  readonly layout: Layout;
  readonly core: PageCore;
  readonly refresh: Refresh;
  readonly surroundings: Surroundings;
  readonly panels: readonly Panel[];
  /** Where the page is that looks at one trace, all in one file; undefined: nowhere. */
  readonly glass: string | undefined;
  /** Something is under way (settled.ts). */
  stir(): void;
}

export type PageViews = ReturnType<typeof createPageViews>;

export function createPageViews(options: PageViewsOptions) {
  const { parent, layout, core, surroundings, panels: kinds, glass } = options;
  const { store, session, loop, frames, actions, sources, title } = core;
  const { isGuest } = surroundings;
  const { invalidate } = loop;
  const owned = createDisposal();
  const run = (id: string, seed = kDefaultSeed) => sources.open({ kind: 'scenario', id, seed });
  let panels: readonly PanelView[] = [];
  const search = () => panels.find((view) => view.search !== undefined)?.search?.();

  const picker = owned.own(
    createScenarios(layout.top, {
      run,
      openTrace: (file) => void sources.openOwn(file.name, file),
      saveTrace: actions.saveTrace,
      words: search,
    }),
  );
  const selected = (address: Addr | undefined) => {
    actions.select(address);
    const tab = tabForSelection(kinds, store.get().tab, layout.besideAsTab());
    if (address !== undefined && tab !== undefined) store.set({ tab });
  };
  const centre = owned.own(
    createCentre({
      parent: layout.map,
      store,
      session,
      surroundings,
      seek: actions.seek,
      selected,
      invalidate,
      viewed: options.stir,
    }),
  );
  panels = createPanels(options, centre);
  for (const view of panels) owned.own(view);
  const aboveMap = owned.own(
    createAboveMap({
      parent: layout.aboveMap,
      core,
      panels: kinds,
      reveal: centre.reveal,
      run,
      picker,
      more: (answer) => {
        const topic = topicOf(answer);
        const panel = kinds.find(({ answers }) => answers?.includes(topic));
        if (panel !== undefined) store.set({ tab: panel.id });
        layout.bring();
      },
      bring: layout.bring,
      suggestions: () =>
        suggestionsOf(core, kinds, {
          openFile: picker.openFile,
          run,
          headings: (panel) => [...layout.panel(panel).querySelectorAll('h2, h3')],
          bring: layout.bring,
        }),
    }),
  );
  const { verify } = actions;
  const ask = (question: Question) => core.asking.ask(question);
  const top = createTopBar({ layout, parent, store, picker, verify, ask, goTo: aboveMap.goTo });
  const bottom = owned.own(
    createBottomBar({ parent: layout.bottom, store, actions, wheelNeedsFocus: isGuest, resized: invalidate }),
  );
  const tables = () => {
    const frame = frames.frame();
    if (frame === undefined) return [];
    return tablesOf({ frame, parts: frames.parts(), timeline: frames.timeline(), state: store.get() }, kinds);
  };
  const saving = createSaving({
    store,
    session,
    map: centre.map,
    answer: core.asking.answer,
    timeline: bottom.picture,
    panels: kinds,
    tables,
    title,
    hasAddress: !isGuest,
    document: glass,
  });
  const share = owned.own(createShare(top.tools.element, parent, { ...saving, failed: actions.report }));
  return { top, centre, panels, aboveMap, bottom, share, search, dispose: owned.dispose };
}

/** Those of the page, each in its place. */
function createPanels({ layout, core, refresh, panels }: PageViewsOptions, centre: ReturnType<typeof createCentre>) {
  const { store, session, actions, sources, scenarios } = core;
  const page = {
    store,
    session,
    actions,
    scenarios,
    reveal: centre.reveal,
    run: sources.open,
    ask: core.asking.ask,
    letters: centre.map.setLetters,
    travel: (from: number, to: number) => core.travel(to, from),
    isTravelling: core.isTravelling,
    placeFor: centre.map.placeFor,
    changed: refresh.soon,
    refresh: refresh.now,
  };
  return panels.map(({ id, create }) => create(layout.panel(id), page));
}
