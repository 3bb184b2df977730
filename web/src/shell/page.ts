// The page: makes its parts and wires them.
//
//   visitor ──▶ view ──▶ actions ──▶ store ──▶ frame loop ──▶ session ──▶ engine
//   views ◀───────── showing.ts ◀──── frame ◀──────┴─────────────┘
//
// The bars are top_bar.ts and bottom_bar.ts, the middle is centre.ts and above_map.ts, panels are panels.ts and program_panels.ts,
// stories are stories.ts, what a frame holds is frame_request.ts.

import './shell.css'; // first: it names the layers
import './buttons.css';
import '../map/heap_map.css';
import { type Actions, createActions } from '../moment/actions.ts';
import { listenForDrops } from '../moment/files.ts';
import { createFrameLoop } from '../moment/frame_loop.ts';
import { createFrameRequest, wantsAnother } from '../moment/frame_request.ts';
import { createHandMade } from '../moment/hand_made.ts';
import { createLastFrames } from '../moment/last_frames.ts';
import { createSession, type Story } from '../moment/session.ts';
import { kDefaultSeed, kTabs, type Store, type Tab } from '../moment/state.ts';
import { createStories } from '../moment/stories.ts';
import { unreadText } from '../moment/unread_text.ts';
import { kScriptName, type Moment, type Opened } from '../moment/url.ts';
import type { Frame } from '../protocol/frames.ts';
import type { ScenarioInfo } from '../protocol/messages.ts';
import { createAboveMap } from './above_map.ts';
import { createBottomBar } from './bottom_bar.ts';
import { type Centre, createCentre } from './centre.ts';
import { listenForKeys } from './key_listener.ts';
import { createLayout } from './layout.ts';
import { createNotice } from './notice.ts';
import { createPanels, kPanels } from './panels.ts';
import { createProgramPanels } from './program_panels.ts';
import { createSaving } from './save_page.ts';
import { createShare } from './share/share.ts';
import { createShowing } from './showing.ts';
import { surroundingsOf } from './surroundings.ts';
import { createTopBar } from './top_bar.ts';
import './layout.css'; // last: it arranges what the views' own styles shape

export interface PageOptions {
  /** The panels there are. Default: all. */
  readonly tabs?: readonly Tab[];
  /** What is shown at first in place of what the address names: a trace that the document brings along. */
  readonly first?: Story | undefined;
  /** Where the page is that looks at one trace, all in one file; undefined: nowhere, and it cannot be saved so. */
  readonly glass?: string;
  /** Where the engine's script is served, where it does not come with the page. */
  readonly workerUrl?: string;
  /** Hears what is told in a notice. */
  readonly told?: (message: string) => void;
  /** Hears what is shown. */
  readonly shown?: (frame: Frame) => void;
}

/** In a shadow root the page is a guest (surroundings.ts). */
export function createPage(parent: Element, store: Store, options: PageOptions = {}) {
  const { tabs = kTabs, first, glass, workerUrl } = options;
  const surroundings = surroundingsOf(parent);
  const { isGuest } = surroundings;
  const layout = createLayout(parent, tabs, { tab: (tab) => store.set({ tab }) });
  const notice = createNotice(layout.notices, options.told);
  const frames = createLastFrames();
  let scenarios: readonly ScenarioInfo[] = [];

  const session = createSession(
    {
      scenarios(list) {
        scenarios = list;
        showing.refresh();
      },
      progress(now) {
        bottom.hear(now);
        loop.invalidate();
      },
      finished(story, message) {
        if (message !== undefined) notice.show(message);
        else programs.finished(story);
        loop.invalidate();
      },
      opening(now) {
        aboveMap.opening(now);
        loop.invalidate();
      },
      died: (message, lines) => notice.show(message, lines, { name: 'Start again', press: stories.restart }),
      notice: (message) => notice.show(message),
    },
    workerUrl,
  );
  const loop = createFrameLoop({
    store,
    request: () => asking.request(),
    ask: session.frame,
    ready: session.ready,
    head: () => session.progress().head,
    running: () => session.progress().running,
    show: (frame) => showing.show(frame),
    failed(error) {
      asking.forgetTimeline();
      actions.tell(error);
    },
  });
  const invalidate = () => loop.invalidate();
  const handMade = createHandMade();
  const actions: Actions = createActions({
    store,
    session,
    loop,
    notice,
    handMade,
    frame: frames.frame,
    chapters: () => frames.timeline()?.marks.map((mark) => mark.seq) ?? [],
  });
  const stories = createStories({
    store,
    session,
    actions,
    notice,
    handMade,
    scenarios: () => scenarios,
    openProgram: () => programs.openProgram(),
    first,
    keeps: !isGuest,
    forget(story) {
      loop.forget();
      frames.forget();
      asking.forget();
      centre.forget();
      programs.forget(story);
    },
    invalidate,
  });
  const tellScenario = (id: string, seed = kDefaultSeed) => stories.tell({ kind: 'scenario', id, seed });

  const top = createTopBar({
    layout,
    parent,
    store,
    stories: {
      run: tellScenario,
      openTrace: (file) => void stories.openOwn(file.name, file),
      saveTrace: actions.saveTrace,
      words: () => programs.searchWords(),
    },
    verify: actions.verify,
    goTo: () => aboveMap.goTo(),
  });
  const centre: Centre = createCentre({
    room: layout.map,
    store,
    session,
    surroundings,
    seek: actions.seek,
    selected(address) {
      actions.select(address);
      // Where the chunk's panel is one of the tabs, selecting in the map opens it.
      const { tab } = store.get();
      if (address !== undefined && tab !== 'learn' && layout.chunkIsTab()) store.set({ tab: 'chunk' });
    },
    invalidate,
  });
  const aboveMap = createAboveMap({
    room: layout.aboveMap,
    store,
    session,
    actions,
    frame: frames.frame,
    reveal: centre.reveal,
    tell: tellScenario,
    openFile: top.picker.openFile,
    chooseStory: top.picker.open,
  });
  const panels = createPanels(layout, tabs, {
    store,
    reveal: centre.reveal,
    seek: actions.seek,
    tell: tellScenario,
    tellScript: (packed, steps) => stories.tell({ kind: 'script', name: kScriptName, packed, steps }),
    letters: centre.map.setLetters,
    operate: actions.operate,
    sceneSteps: session.sceneSteps,
    temporaries: session.temporaries,
  });
  const programs = createProgramPanels({
    layout,
    store,
    session,
    actions,
    scenarios: () => scenarios,
    reveal: centre.reveal,
    tellStory: stories.tell,
    changed: () => showing.refreshSoon(),
    refresh: () => showing.refresh(),
  });

  const bottom = createBottomBar({
    room: layout.bottom,
    store,
    actions,
    wheelNeedsFocus: isGuest,
    resized: invalidate,
  });
  const asking = createFrameRequest({
    store,
    session,
    frames,
    map: centre.wants,
    panel: (state) => kPanels.find(({ tab }) => tab === state.tab)?.wants?.(state) ?? {},
    columns: bottom.columns,
  });
  const saving = createSaving({
    store,
    session,
    map: centre.map,
    timeline: bottom.picture,
    tables: frames.tables,
    title: nameShown,
    hasAddress: !isGuest,
    document: glass,
  });
  const share = createShare(top.tools.element, parent, { ...saving, failed: actions.tell });
  const showing = createShowing({
    store,
    session,
    frames,
    scenarios: () => scenarios,
    layout,
    top,
    aboveMap,
    centre,
    panels,
    programs,
    bottom,
    share,
    title: isGuest ? undefined : () => `${nameShown()} · heapglass`,
    shown: options.shown,
    invalidate,
  });

  const stopKeys = listenForKeys(surroundings, store, {
    ...actions,
    goTo: aboveMap.goTo,
    share: share.open,
    search: () => (tabs.includes('programs') ? programs.searchWords() : undefined),
    help: top.tools.help,
  });
  const stopDrops = listenForDrops(layout.element, {
    trace: (name, file) => void stories.openOwn(name, file),
    text: programs.indexText,
  });

  store.subscribe((state, before) => {
    if (state.tab !== before.tab) layout.show(state.tab); // at once: who opens a panel may focus something in it
    centre.follow(state, before);
    if (wantsAnother(state, before)) loop.invalidate();
    showing.refreshSoon();
  });
  showing.refresh();

  /** Of the story. */
  function nameShown(): string {
    const { source } = store.get();
    if (source.kind !== 'scenario') return source.name;
    return scenarios.find(({ id }) => id === source.id)?.title ?? '';
  }

  /** What a link opens over the page. */
  function open(what: Opened | undefined): void {
    if (what === 'share') share.open();
    else if (what === 'find') aboveMap.goTo();
    else if (what === 'help') top.tools.help();
    else if (what === 'table') centre.map.openTable();
  }

  /** What of a link was left out is said where nothing more important is. */
  function sayUnread(unread: readonly string[]): void {
    if (unread.length > 0 && notice.element.hidden) notice.show(unreadText(unread));
  }

  return {
    /** Ends when the first story is shown. `unread`: what of its link cannot be read. */
    async start(opened: Opened | undefined, unread: readonly string[]): Promise<void> {
      await stories.start();
      open(opened);
      sayUnread(unread);
    },
    /** To a moment named by an address. */
    goTo({ open: opened, ...moment }: Moment, unread: readonly string[]): void {
      open(opened);
      void stories.goTo(moment).then(() => sayUnread(unread));
    },
    destroy(): void {
      stopKeys();
      stopDrops();
      loop.dispose();
      showing.destroy();
      stories.stop();
      session.dispose();
      for (const view of panels) view.destroy();
      for (const view of [centre, aboveMap, share, programs, bottom]) view.destroy();
      layout.element.remove();
    },
  };
}
