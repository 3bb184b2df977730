// The page: makes the views, gives each what it shows from the last frame and the state, and hands what the visitor
// does to the actions.
//
//   visitor ──▶ view ──▶ actions ──▶ store ──▶ frame loop ──▶ session ──▶ engine
//   views ◀───────────── show(frame) ◀─────────────┴─────────────┘
//
// Everything shown follows from the store, the session's progress and the last frame; nothing is kept beside them. Wiring only:
// the middle is centre.ts, panels are panels.ts and program_panels.ts, stories are stories.ts, what a frame holds is
// frame_request.ts.

import './shell.css'; // first: it names the layers
import './buttons.css';
import '../views/heap_map/heap_map.css';
import { addr, seq } from '../base/brand.ts';
import { ChunkState, type Frame } from '../protocol/frames.ts';
import type { ScenarioInfo } from '../protocol/messages.ts';
import { make } from '../views/dom.ts';
import { createGoTo } from '../views/go_to/go_to.ts';
import { createOpening } from '../views/opening/opening.ts';
import { createScenarios } from '../views/scenarios/scenarios.ts';
import { createShare } from '../views/share/share.ts';
import { createStatus } from '../views/status/status.ts';
import { createTimeline } from '../views/timeline/timeline.ts';
import { createTransport } from '../views/transport/transport.ts';
import { createWelcome } from '../views/welcome/welcome.ts';
import { type Actions, createActions, kByHand } from './actions.ts';
import { type Centre, createCentre } from './centre.ts';
import { listenForDrops } from './files.ts';
import { createFrameLoop } from './frame_loop.ts';
import { createFrameRequest, kReadableSpeed } from './frame_request.ts';
import { createHandMade } from './hand_made.ts';
import { createHeapChoice } from './heap_choice.ts';
import { listenForKeys } from './key_listener.ts';
import { createLastFrames } from './last_frames.ts';
import { createLayout } from './layout.ts';
import { createLegend } from './legend.ts';
import { createNotice } from './notice.ts';
import type { Shown } from './panel.ts';
import { kPanels } from './panels.ts';
import { guidedSpeed, kSpeeds, speedFor, speedText } from './playback.ts';
import { createProgramPanels } from './program_panels.ts';
import { createSaving } from './save_page.ts';
import { chapterAt, livePool } from './selection.ts';
import { createSession, type Progress, type Story } from './session.ts';
import { kDefaultSeed, kTabs, type State, type Store, type Tab } from './state.ts';
import { createStories } from './stories.ts';
import { surroundingsOf } from './surroundings.ts';
import { createTools } from './tools.ts';
import { kScriptName, type Moment, type Opened } from './url.ts';
import { rememberWelcome } from './welcome.ts';
import './layout.css'; // last: it arranges what the views' own styles shape

/** Fewer events between two frames than this are one step, whose changes may be animated. */
const kOneStep = 64;

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

/** What one can type at without knowing anything. */
const kWelcomeProgram = 'sqlite';

/** A change of any of these wants another frame. */
const kAsking = [
  'heap',
  'bin',
  'pool',
  'selected',
  'place',
  'colour',
  'range',
  'since',
  'playing',
  'follow',
  'tab',
] as const satisfies readonly (keyof State)[];

/** In a shadow root the page is a guest (surroundings.ts). */
export function createPage(parent: Element, store: Store, options: PageOptions = {}) {
  const { tabs = kTabs, first, glass, workerUrl } = options;
  const surroundings = surroundingsOf(parent);
  const { isGuest } = surroundings;
  const layout = createLayout(parent, tabs, { tab: (tab) => store.set({ tab }) });
  const notice = createNotice(layout.notices, options.told);
  const frames = createLastFrames();
  let scenarios: readonly ScenarioInfo[] = [];
  let chosenSpeed = false;
  let refreshDue = 0;

  const session = createSession(
    {
      scenarios(list) {
        scenarios = list;
        refresh();
      },
      progress: hear,
      finished(story, message) {
        if (message !== undefined) notice.show(message);
        else programs.finished(story);
        loop.invalidate();
      },
      opening(now) {
        opening.update(now);
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
    show,
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
      asking.forgetTimeline();
      centre.forget();
      programs.forget(story);
    },
    invalidate,
  });
  const tellScenario = (id: string, seed = kDefaultSeed) => stories.tell({ kind: 'scenario', id, seed });

  // Top bar.
  const scenarioPicker = createScenarios(layout.top, {
    run: tellScenario,
    openTrace: (file) => void stories.openOwn(file.name, file),
    saveTrace: actions.saveTrace,
    words: () => programs.searchWords(),
  });
  const heapChoice = createHeapChoice(layout.top, (heap) => store.set({ heap, bin: undefined, pool: undefined }));
  const status = createStatus(layout.top, { verify: actions.verify });
  const tools = createTools(layout.top, parent, store, () => goTo.open());

  // The middle.
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
  const welcome = createWelcome(layout.aboveMap, {
    openFile: scenarioPicker.openFile,
    openProgram: () => tellScenario(kWelcomeProgram),
    chooseStory: scenarioPicker.open,
    learn: () => store.set({ tab: 'learn', playing: false }),
    byHand: () => tellScenario(kByHand),
    closed() {
      rememberWelcome();
      store.set({ welcome: false });
    },
  });
  const opening = createOpening(layout.aboveMap, {
    cancel() {
      store.set({ playing: false });
      void session.cancelOpening().catch(actions.tell);
    },
  });
  const goTo = createGoTo(layout.aboveMap, {
    seek: actions.seek,
    reveal: (address) => centre.reveal(address, 16),
    find: session.find,
    at: () => frames.frame()?.status.seq ?? seq(0),
    selected: () => store.get().selected,
    failed: actions.tell,
  });

  // Panels.
  const panels = kPanels
    .filter(({ tab }) => tabs.includes(tab))
    .map((panel) =>
      panel.create(layout.room(panel.tab), {
        store,
        reveal: centre.reveal,
        seek: actions.seek,
        tell: tellScenario,
        tellScript: (packed, steps) => stories.tell({ kind: 'script', name: kScriptName, packed, steps }),
        letters: centre.map.setLetters,
        operate: actions.operate,
        sceneSteps: session.sceneSteps,
        temporaries: session.temporaries,
      }),
    );
  const programs = createProgramPanels({
    layout,
    store,
    session,
    actions,
    scenarios: () => scenarios,
    reveal: centre.reveal,
    tellStory: stories.tell,
    changed: refreshSoon,
    refresh,
  });

  // Time.
  const row = make('div', { class: 'hg-bottom__row' });
  layout.bottom.append(row);
  const transport = createTransport(row, kSpeeds, speedText, {
    first: actions.first,
    last: actions.last,
    step: (by, other) => actions.step(by, (store.get().unit === 'event') !== other ? 'event' : 'operation'),
    togglePlay: actions.togglePlay,
    bookmark: actions.bookmark,
    speed(speed) {
      chosenSpeed = true;
      store.set({ speed, guided: false });
    },
    unit: (unit) => store.set({ unit }),
  });
  createLegend(row);
  const timeline = createTimeline(layout.bottom, {
    seek: actions.seek,
    step: (by) => actions.step(by, store.get().unit),
    range: (range) => store.set({ range }),
    resized: invalidate,
    wheelNeedsFocus: isGuest,
  });
  const asking = createFrameRequest({ store, session, frames, centre, columns: timeline.columns });

  const { picture } = timeline;
  const saving = createSaving({
    store,
    session,
    map: centre.map,
    timeline: picture,
    tables: frames.tables,
    title: nameShown,
    hasAddress: !isGuest,
    document: glass,
  });
  const share = createShare(tools.element, parent, { ...saving, failed: actions.tell });

  const stopKeys = listenForKeys(surroundings, store, {
    ...actions,
    goTo: goTo.open,
    share: share.open,
    search: () => (tabs.includes('programs') ? programs.searchWords() : undefined),
    help: tools.help,
  });
  const stopDrops = listenForDrops(layout.element, {
    trace: (name, file) => void stories.openOwn(name, file),
    text: programs.indexText,
  });

  store.subscribe((state, before) => {
    if (state.tab !== before.tab) layout.show(state.tab); // at once: who opens a panel may focus something in it
    centre.follow(state, before);
    if (kAsking.some((key) => state[key] !== before[key])) loop.invalidate();
    refreshSoon();
  });
  refresh();

  /** Once before the next picture, however often the state changes until then; a frame comes with its own refresh. */
  function refreshSoon(): void {
    if (refreshDue !== 0) return;
    refreshDue = requestAnimationFrame(refresh);
  }

  function show(next: Frame): void {
    const before = frames.frame();
    const moved = Math.abs(next.status.seq - (before?.status.seq ?? 0));
    const state = store.get();
    const animate = moved > 0 && moved < kOneStep && (!state.playing || state.speed <= kReadableSpeed);
    frames.take(next, state.playing);
    centre.show(next, state.selected, animate);
    refresh();
    options.shown?.(next);
    lead(next);
    // The first frame tells which pools there are; the next one brings the first pool's blocks.
    const pool = livePool(state.pool, next);
    if (before === undefined || (pool !== undefined && next.poolBlocks?.pool !== pool)) loop.invalidate();
  }

  /** While the page leads: the first block that is born is chosen, and time goes slowly at first. */
  function lead({ map: shown, status }: Frame): void {
    const state = store.get();
    if (!state.guided) return;
    const speed = guidedSpeed(status.seq) ?? speedFor(session.progress().head);
    const born = shown?.chunks?.state.findIndex((each) => each === ChunkState.inUse || each === ChunkState.poolBlock);
    const block = born === undefined || born < 0 ? undefined : shown?.chunks?.address[born];
    store.set({ speed, selected: state.selected ?? (block === undefined ? undefined : addr(block)) });
  }

  /** Gives every view what it shows now. Views write only what differs. */
  function refresh(): void {
    cancelAnimationFrame(refreshDue);
    refreshDue = 0;
    const state = store.get();
    const progress = session.progress();
    const frame = frames.frame();
    layout.show(state.tab);
    showTop(state, frame);
    showTime(state, progress, frame);
    programs.refresh(state, progress.running);
    if (frame === undefined) return;
    centre.refresh();
    share.update();
    const pool = livePool(state.pool, frame);
    const moving = state.playing || progress.running;
    const shown: Shown = { frame, state, moving, running: progress.running, scenarios, pool, ...frames.parts() };
    for (const view of panels) view.show(shown);
    programs.show(frame, state, pool);
  }

  /** Of the story. */
  function nameShown(): string {
    const { source } = store.get();
    if (source.kind !== 'scenario') return source.name;
    return scenarios.find(({ id }) => id === source.id)?.title ?? '';
  }

  function showTop(state: State, frame: Frame | undefined): void {
    const { source } = state;
    const name = source.kind === 'scenario' ? '' : source.name;
    const shown = source.kind === 'scenario' ? source.id : '';
    scenarioPicker.update(scenarios, shown, name, source.kind === 'scenario' ? source.seed : undefined);
    if (!isGuest) layout.title(`${nameShown()} · heapglass`); // guest.1
    heapChoice.update(frame?.status.heaps ?? [], state.heap);
    status.update(frame?.status);
    welcome.update({
      open: state.welcome,
      program: scenarios.some(({ id, unavailable }) => id === kWelcomeProgram && unavailable === undefined),
      scenes: scenarios.filter((info) => info.scene !== undefined).length,
      chapter: chapterAt(frames.timeline(), state.cursor),
    });
  }

  function showTime(state: State, progress: Progress, frame: Frame | undefined): void {
    const head = Math.max(frame?.status.head ?? 0, progress.head);
    const { cursor, playing, speed, unit, bookmarks, range } = state;
    transport.update({
      cursor,
      head,
      operations: frame?.status.operations ?? 0,
      operationsTotal: frame?.status.operationsTotal ?? 0,
      playing,
      running: progress.running,
      speed,
      unit,
      bookmarked: bookmarks.includes(cursor),
    });
    timeline.update(frames.timeline(), cursor, head, frame?.status.seq ?? 0, range, bookmarks);
  }

  function hear(progress: Progress): void {
    if (!chosenSpeed && !store.get().guided && progress.done > 0.02)
      store.set({ speed: speedFor(progress.head / progress.done) });
    loop.invalidate();
  }

  /** What a link opens over the page. */
  function open(what: Opened | undefined): void {
    if (what === 'share') share.open();
    else if (what === 'find') goTo.open();
    else if (what === 'help') tools.help();
    else if (what === 'table') centre.map.openTable();
  }

  return {
    start: stories.start,
    open,
    /** To a moment named by an address. */
    goTo({ open: opened, ...moment }: Moment): void {
      open(opened);
      stories.goTo(moment);
    },
    destroy(): void {
      stopKeys();
      stopDrops();
      loop.dispose();
      cancelAnimationFrame(refreshDue);
      stories.stop();
      session.dispose();
      for (const view of panels) view.destroy();
      for (const view of [centre, welcome, opening, goTo, share, programs, transport, timeline]) view.destroy();
      layout.element.remove();
    },
  };
}
