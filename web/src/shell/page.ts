// The page: what the views stand on, the views, and the wires between them.
//
//   visitor ──▶ view ──▶ actions ──▶ store ──▶ frame loop ──▶ session ──▶ engine
//   views ◀───────── showing.ts ◀──── frame ◀──────┴─────────────┘
//
// page_core.ts is what the views stand on, page_views.ts all that is to be seen, page_wires.ts what goes from one to the other.

import './shell.css'; // as its entries do, before the panels' sheets
import './buttons.css';
import '../map/heap_map.css';
import { createDisposal } from '../base/disposal.ts';
import type { LoadedSource } from '../moment/session.ts';
import type { Store } from '../moment/state.ts';
import { unreadText } from '../moment/unread_text.ts';
import type { Moment, Opened } from '../moment/url.ts';
import type { Panel } from '../panels/panel.ts';
import type { Frame } from '../protocol/frames.ts';
import { createLayout } from './layout.ts';
import { createNotice } from './notice.ts';
import { createPageCore, type PageCore } from './page_core.ts';
import { createPageViews } from './page_views.ts';
import { wirePage } from './page_wires.ts';
import { createRefresh } from './refresh.ts';
import { createSettled, type Settled } from './settled.ts';
import { surroundingsOf } from './surroundings.ts';
import './layout.css'; // last: they arrange what the views' own styles shape
import './low_screen.css';

export interface PageOptions {
  /** The panels there are, in the order of their tabs. */
  readonly panels: readonly Panel[];
  /** What is shown at first in place of what the address names: a trace that the document brings along. */
  readonly first?: LoadedSource | undefined;
  /** Where the page is that looks at one trace, all in one file; undefined: nowhere, and it cannot be saved so. */
  readonly glass?: string;
  /** Where the engine's script is served, where it does not come with the page. */
  readonly workerUrl?: string;
  /** Receives every message that a notice shows. */
  readonly onNotice?: (message: string) => void;
  /** Receives what is shown. */
  readonly shown?: (frame: Frame) => void;
}

/** In a shadow root the page is a guest (surroundings.ts). */
export function createPage(parent: Element, store: Store, options: PageOptions) {
  const { panels, first, glass, workerUrl } = options;
  const owned = createDisposal();
  const surroundings = surroundingsOf(parent);
  const layout = owned.own(createLayout(parent, panels, { tab: (tab) => store.set({ tab }) }));
  const notice = createNotice(layout.notices, options.onNotice);
  const busy: (() => boolean)[] = [];
  const { stir }: Settled = owned.own(createSettled(layout.element, (): boolean => busy.some((isBusy) => isBusy())));
  const core: PageCore = owned.own(
    createPageCore({ store, notice, panels, first, keeps: !surroundings.isGuest, workerUrl, stir }),
  );
  const refresh = owned.own(createRefresh());
  const views = owned.own(createPageViews({ parent, layout, core, refresh, surroundings, panels, glass, stir }));
  owned.own(wirePage({ layout, core, refresh, surroundings, panels, views, shown: options.shown }));
  owned.defer(store.subscribe(stir));
  busy.push(core.isBusy, refresh.isDue, views.centre.map.isBusy);
  refresh.now();
  stir();

  /** What a link opens over the page. */
  function open(what: Opened | undefined): void {
    if (what === 'share') views.share.open();
    else if (what === 'find') views.aboveMap.goTo();
    else if (what === 'help') views.top.tools.help();
    else if (what === 'table') views.centre.map.openTable();
  }

  /** What of a link was left out is said where nothing more important is. */
  function sayUnread(unread: readonly string[]): void {
    if (unread.length > 0 && notice.element.hidden) notice.show(unreadText(unread));
  }

  return {
    /** Ends when the first scenario is shown. `unread`: what of its link cannot be read. */
    async start(opened: Opened | undefined, unread: readonly string[]): Promise<void> {
      await core.sources.start();
      open(opened);
      sayUnread(unread);
    },
    /** To a moment named by an address. */
    goTo({ open: opened, ...moment }: Moment, unread: readonly string[]): void {
      open(opened);
      void core.sources.goTo(moment).then(() => sayUnread(unread));
      stir(); // a trace that is fetched first changes nothing yet
    },
    /** Whether something beside the page is under way: it has not settled then (settled.ts). */
    settlesAfter(isBusy: () => boolean): void {
      busy.push(isBusy);
      stir();
    },
    dispose: owned.dispose,
  };
}
