// The page: makes the views, gives each what it shows from the last frame and the state, and hands what the visitor
// does to the actions.
//
//   visitor ──▶ view ──▶ actions ──▶ store ──▶ frame loop ──▶ session ──▶ engine
//   views ◀───────────── show(frame) ◀─────────────┴─────────────┘
//
// Everything shown follows from the store, the session's progress and the last frame; nothing is kept beside them.

import './shell.css';
import '../views/heap_map/heap_map.css';
import { type Addr, addr, seq } from '../base/brand.ts';
import { callProgram } from '../live/meet.ts';
import type { ExperimentId } from '../protocol/experiments.ts';
import {
  type CachesFrame,
  ChunkState,
  type CompareFrame,
  type ExplainFrame,
  type Frame,
  type SitesFrame,
  type SizesFrame,
  type TimelineFrame,
} from '../protocol/frames.ts';
import type { FrameRequest, ScenarioInfo } from '../protocol/messages.ts';
import { kDarkTheme } from '../render/palette.ts';
import { blockNames } from '../render/pool_names.ts';
import { make } from '../views/dom.ts';
import { createExperiments } from '../views/experiments/experiments.ts';
import { createGoTo } from '../views/go_to/go_to.ts';
import { createHeapMap } from '../views/heap_map/heap_map.ts';
import { createMinimap } from '../views/minimap/minimap.ts';
import { createOpening } from '../views/opening/opening.ts';
import { createOperations } from '../views/operations/operations.ts';
import { createProgram } from '../views/program/program.ts';
import { createScenarios } from '../views/scenarios/scenarios.ts';
import { createShare } from '../views/share/share.ts';
import { createStatus } from '../views/status/status.ts';
import { createTimeline } from '../views/timeline/timeline.ts';
import { createTransport } from '../views/transport/transport.ts';
import { createWelcome } from '../views/welcome/welcome.ts';
import { createWords } from '../views/words/words.ts';
import { type Actions, createActions, isByHand, kByHand, sameSource, sourceOf, stateAtStartOf } from './actions.ts';
import { loadDocumentation } from './documentation.ts';
import { createExperimentRuns } from './experiment_runs.ts';
import { fetchTrace, listenForDrops } from './files.ts';
import { createFrameLoop } from './frame_loop.ts';
import { createHandMade } from './hand_made.ts';
import { createHeapChoice } from './heap_choice.ts';
import { listenForKeys } from './key_listener.ts';
import { createLayout } from './layout.ts';
import { createLegend } from './legend.ts';
import { createLivesView } from './lives_view.ts';
import { createNotice } from './notice.ts';
import { keepTrace } from './own_files.ts';
import type { Shown } from './panel.ts';
import { kPanels } from './panels.ts';
import { guidedSpeed, kSpeeds, speedFor, speedText } from './playback.ts';
import { createSaving } from './save_page.ts';
import { chapterAt, livePool, operable } from './selection.ts';
import { createSession, firstStory, type Progress, type Story } from './session.ts';
import { kDefaultSeed, kInitialState, kTabs, type Source, type State, type Store, type Tab } from './state.ts';
import { createThemeSwitch } from './theme.ts';
import { createTools } from './tools.ts';
import type { Moment, Opened } from './url.ts';
import { rememberWelcome } from './welcome.ts';
import './layout.css'; // last: it arranges what the views' own styles shape

/** Above this many steps a second each explanation would be gone before it is read ... */
const kReadableSpeed = 10;
/** ... so one is asked for this often. */
const kExplainEveryMs = 1500;
/** Fewer events between two frames than this are one step, whose changes may be animated. */
const kOneStep = 64;

export interface PageOptions {
  /** The panels there are. Default: all. */
  readonly tabs?: readonly Tab[];
  /** What is shown at first in place of what the address names: a trace that the document brings along. */
  readonly first?: Story | undefined;
  /** Where the page is that looks at one trace, all in one file; undefined: nowhere, and it cannot be saved so. */
  readonly glass?: string;
}

/** What one can type at without knowing anything. */
const kWelcomeProgram = 'sqlite';

/** What a story's start leaves alone and a link does not. */
const kAtFirstLoad = { tab: kInitialState.tab, experiment: undefined };

export function createPage(parent: Element, store: Store, { tabs = kTabs, first, glass }: PageOptions = {}) {
  const layout = createLayout(parent, tabs, { tab: (tab) => store.set({ tab }) });
  const notice = createNotice(layout.notices);
  let frame: Frame | undefined;
  let scenarios: readonly ScenarioInfo[] = [];
  let watchableOf = scenarios;
  let listedOf = scenarios;
  let listed = scenarios;
  let watchableIds: ReadonlySet<ExperimentId> = new Set();
  let chosenSpeed = false;
  let timelineAsked = '';
  let timelineFrame: TimelineFrame | undefined;
  let explained: ExplainFrame | undefined;
  let cachesFrame: CachesFrame | undefined;
  let sizesFrame: SizesFrame | undefined;
  let sitesFrame: SitesFrame | undefined;
  let compareFrame: CompareFrame | undefined;
  let explainedAt = 0;
  let wordsWanted = false; // the word index is shown though another program is open
  let refreshDue = 0;
  let heeding = 0; // an animation frame that asks a program for news

  const session = createSession({
    scenarios(list) {
      scenarios = list;
      refresh();
    },
    progress: hear,
    finished(story, message) {
      if (message !== undefined) notice.show(message);
      else if (story.kind === 'words') words.finished().catch(actions.tell);
      else if (openProgram() !== undefined) session.printed().then(program.show).catch(actions.tell);
      loop.invalidate();
    },
    opening(now) {
      opening.update(now);
      loop.invalidate();
    },
    died: (message, lines) => notice.show(message, lines, { name: 'Start again', press: restart }),
    notice: (message) => notice.show(message),
  });
  const loop = createFrameLoop({
    store,
    request,
    ask: session.frame,
    ready: session.ready,
    head: () => session.progress().head,
    running: () => session.progress().running,
    show,
    failed(error) {
      timelineAsked = '';
      actions.tell(error);
    },
  });
  const handMade = createHandMade();
  const actions: Actions = createActions({
    store,
    session,
    loop,
    notice,
    handMade,
    frame: () => frame,
    chapters: () => timelineFrame?.marks.map((mark) => mark.seq) ?? [],
  });

  // Top bar.
  const scenarioPicker = createScenarios(layout.top, {
    run: (id, seed) => tellStory({ kind: 'scenario', id, seed }),
    openTrace: (file) => void openOwn(file.name, file),
    saveTrace: actions.saveTrace,
    words: showWords,
  });
  const chooseHeap = (heap: number) => store.set({ heap, bin: undefined, pool: undefined });
  const heapChoice = createHeapChoice(layout.top, chooseHeap);
  const status = createStatus(layout.top, { verify: actions.verify });
  const tools = createTools(layout.top, parent, store, () => goTo.open());

  // The map.
  const map = createHeapMap({
    parent: layout.map,
    theme: kDarkTheme,
    onViewport: () => loop.invalidate(),
    onSelect(address) {
      actions.select(address);
      // Where the chunk's panel is one of the tabs, selecting in the map opens it.
      const { tab } = store.get();
      if (address !== undefined && tab !== 'learn' && layout.chunkIsTab()) store.set({ tab: 'chunk' });
    },
    onView(from, to) {
      minimap.setView(from, to);
      lives.setView(from, to);
    },
    onLives: () => store.set({ view: 'lives' }),
    onColour: (colour) => store.set({ colour, guided: false }),
    onPlace: (place) => store.set({ place, guided: false }),
  });
  const minimap = createMinimap(layout.map, { scrollTo: map.scrollTo, resized: () => loop.invalidate() });
  const lives = createLivesView({ parent: layout.map, store, session, map, seek: actions.seek });
  const theme = createThemeSwitch((next) => {
    map.setTheme(next);
    minimap.setTheme(next);
    lives.setTheme(next);
  });
  theme.set(store.get().theme);
  map.setPlace(store.get().place);
  map.setColour(store.get().colour);
  const reveal = (address: Addr, size: number) => {
    store.set({ selected: address, guided: false });
    map.reveal(address, size as Parameters<typeof map.reveal>[1]);
  };

  const welcome = createWelcome(layout.aboveMap, {
    openFile: scenarioPicker.openFile,
    openProgram: () => tellStory({ kind: 'scenario', id: kWelcomeProgram, seed: kDefaultSeed }),
    chooseStory: scenarioPicker.open,
    learn: () => store.set({ tab: 'learn', playing: false }),
    byHand: () => tellStory({ kind: 'scenario', id: kByHand, seed: kDefaultSeed }),
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
    reveal: (address) => reveal(address, 16),
    find: session.find,
    at: () => frame?.status.seq ?? seq(0),
    selected: () => store.get().selected,
    failed: actions.tell,
  });

  // Panels.
  const panels = kPanels.map((panel) => ({
    panel,
    view: panel.create(layout.room(panel.tab), {
      store,
      reveal,
      seek: actions.seek,
      tell: (id, seed) => tellStory({ kind: 'scenario', id, seed }),
      operate: actions.operate,
      sceneSteps: session.sceneSteps,
    }),
  }));
  const runs = createExperimentRuns(refreshSoon);
  const experiments = createExperiments(layout.experiments, {
    choose: (experiment) => store.set({ experiment }),
    run: runs.run,
    stop: runs.stop,
    watch(id) {
      const story = storyOf(id);
      if (story !== undefined) tellStory({ kind: 'scenario', id: story.id, seed: kDefaultSeed });
    },
  });
  const operations = createOperations(layout.operate, {
    operate: actions.operate,
    select: (address) => reveal(address, 16),
  });
  const program = createProgram(layout.programs, {
    open(id) {
      if (id !== 'words') tellStory({ kind: 'scenario', id, seed: kDefaultSeed });
      else if (openProgram() !== undefined) {
        wordsWanted = true;
        refreshSoon();
      }
    },
    run: actions.runText,
    stop: () => void session.stopText().catch(actions.tell),
  });
  const words = createWords(layout.programs, loadDocumentation, {
    run: (name, text) => tellStory({ kind: 'words', name, text }),
    top: session.wordTop,
    find: session.wordFind,
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
    resized: () => loop.invalidate(),
  });

  const saving = createSaving({
    store,
    session,
    map,
    timeline: timeline.picture,
    tables: () =>
      frame && { frame, timeline: timelineFrame, sizes: sizesFrame, sites: sitesFrame, compare: compareFrame },
    document: glass,
  });
  const share = createShare(tools.element, parent, { ...saving, failed: actions.tell });

  const stopKeys = listenForKeys(store, {
    ...actions,
    goTo: goTo.open,
    share: share.open,
    search: showWords,
    help: tools.help,
  });
  const stopDrops = listenForDrops(layout.element, {
    trace: (name, file) => void openOwn(name, file),
    text(name, text) {
      store.set({ tab: 'programs' });
      wordsWanted = true;
      words.start(name, text);
    },
  });

  store.subscribe((state, before) => {
    if (state.tab !== before.tab) layout.show(state.tab); // at once: who opens a panel may focus something in it
    if (state.theme !== before.theme) theme.set(state.theme);
    if (state.place !== before.place) map.setPlace(state.place);
    if (state.colour !== before.colour) map.setColour(state.colour);
    const asks = [
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
    ] as const;
    if (asks.some((key) => state[key] !== before[key])) loop.invalidate();
    refreshSoon();
  });
  refresh();

  function showWords(): void {
    wordsWanted = true;
    store.set({ tab: 'programs' });
    refresh();
    words.focusSearch();
  }

  /** Once before the next picture, however often the state changes until then; a frame comes with its own refresh. */
  function refreshSoon(): void {
    if (refreshDue !== 0) return;
    refreshDue = requestAnimationFrame(refresh);
  }

  function request(): Omit<FrameRequest, 'at'> {
    const state = store.get();
    const columns = timeline.columns();
    const { head } = session.progress();
    const { range } = state;
    // Past a verification the ticks change too: they come with the frame after.
    const wanted = `${range?.from}-${range?.to}/${columns}/${head}/${frame?.status.verifiedAt}`;
    const anew = wanted !== timelineAsked;
    timelineAsked = wanted;
    return {
      map: map.viewport(),
      colour: state.colour,
      overview: minimap.rows(),
      heap: state.heap,
      inspect: state.selected,
      bin: state.bin,
      pool: livePool(state.pool, frame),
      explain: explainNow(state),
      caches: false,
      ...kPanels.find(({ tab }) => tab === state.tab)?.wants?.(state),
      timeline: anew
        ? { from: seq(range?.from ?? 0), to: range === undefined ? 'head' : seq(range.to), columns }
        : undefined,
    };
  }

  function explainNow(state: State): boolean {
    const now = performance.now();
    const wanted = !state.playing || state.speed <= kReadableSpeed || now - explainedAt > kExplainEveryMs;
    if (wanted) explainedAt = now;
    return wanted;
  }

  function show(next: Frame): void {
    const moved = Math.abs(next.status.seq - (frame?.status.seq ?? 0));
    const state = store.get();
    const animate = moved > 0 && moved < kOneStep && (!state.playing || state.speed <= kReadableSpeed);
    const first = frame === undefined;
    frame = next;
    timelineFrame = next.timeline ?? timelineFrame;
    cachesFrame = next.caches ?? cachesFrame;
    sizesFrame = next.sizes ?? sizesFrame;
    sitesFrame = next.sites ?? sitesFrame;
    compareFrame = next.compare;
    explained = next.explain ?? (state.playing ? explained : undefined);
    if (next.map !== undefined) {
      const { inspect, binChain } = next;
      const names = blockNames(next.pools);
      minimap.update(next.overview);
      map.setFrame(next.map, { selected: state.selected, inspect, binChain, names, animate });
    }
    refresh();
    lead(next);
    // The first frame tells which pools there are; the next one brings the first pool's blocks.
    const pool = livePool(state.pool, next);
    if (first || (pool !== undefined && next.poolBlocks?.pool !== pool)) loop.invalidate();
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
    const moving = state.playing || progress.running;
    layout.show(state.tab);
    const { source } = state;
    const name = source.kind === 'scenario' ? '' : source.name;
    const shown = source.kind === 'scenario' ? source.id : '';
    scenarioPicker.update(scenarios, shown, name, source.kind === 'scenario' ? source.seed : undefined);
    layout.title(`${scenarios.find((info) => info.id === shown)?.title ?? name} · heapglass`);
    heapChoice.update(frame?.status.heaps ?? [], state.heap);
    status.update(frame?.status);
    const head = Math.max(frame?.status.head ?? 0, progress.head);
    transport.update({
      cursor: state.cursor,
      head,
      operations: frame?.status.operations ?? 0,
      operationsTotal: frame?.status.operationsTotal ?? 0,
      playing: state.playing,
      running: progress.running,
      speed: state.speed,
      unit: state.unit,
      bookmarked: state.bookmarks.includes(state.cursor),
    });
    welcome.update({
      open: state.welcome,
      program: scenarios.some(({ id, unavailable }) => id === kWelcomeProgram && unavailable === undefined),
      scenes: scenarios.filter((info) => info.scene !== undefined).length,
      chapter: chapterAt(timelineFrame, state.cursor),
    });
    timeline.update(timelineFrame, state.cursor, head, frame?.status.seq ?? 0, state.range, state.bookmarks);
    showExperiments(state, shown);
    showPrograms(progress.running);
    if (frame === undefined) return;
    lives.update();
    const pool = livePool(state.pool, frame);
    const shownNow: Shown = {
      frame,
      state,
      moving,
      running: progress.running,
      scenarios,
      pool,
      explained,
      caches: cachesFrame,
      sizes: sizesFrame,
      sites: sitesFrame,
      compare: compareFrame,
    };
    for (const { view } of panels) view.show(shownNow);
    operations.update(operable(frame, source, pool));
  }

  /** `shown`: the scenario that is told. Nothing is written while the panel is closed. */
  function showExperiments(state: State, shown: string): void {
    if (state.tab !== 'experiments') return;
    experiments.update({
      ...runs.now(),
      chosen: state.experiment,
      threads: crossOriginIsolated,
      watchable: watchable(),
      watched: scenarios.find((info) => info.id === shown)?.experiment,
    });
  }

  function openProgram(): ScenarioInfo | undefined {
    const { source } = store.get();
    const open = source.kind === 'scenario' ? scenarios.find(({ id }) => id === source.id) : undefined;
    return open?.program === undefined ? undefined : open;
  }

  function showPrograms(running: boolean): void {
    if (listedOf !== scenarios) {
      listedOf = scenarios;
      listed = scenarios.filter((info) => info.program !== undefined);
    }
    const open = wordsWanted ? undefined : openProgram();
    words.element.hidden = open !== undefined;
    program.update({ programs: listed, open, running, words: open === undefined });
  }

  const storyOf = (id: ExperimentId) => scenarios.find((info) => info.experiment === id);

  function watchable(): ReadonlySet<ExperimentId> {
    if (watchableOf !== scenarios) {
      watchableOf = scenarios;
      watchableIds = new Set(scenarios.flatMap(({ experiment }) => (experiment === undefined ? [] : [experiment])));
    }
    return watchableIds;
  }

  function hear(progress: Progress): void {
    if (!chosenSpeed && !store.get().guided && progress.done > 0.02)
      store.set({ speed: speedFor(progress.head / progress.done) });
    loop.invalidate();
  }

  /** `again`: with what was made in it by hand before. */
  function tellStory(story: Story, again = false): void {
    timelineAsked = '';
    lives.forget();
    operations.forget();
    if (story.kind !== 'words') words.forget();
    wordsWanted = story.kind === 'words';
    if (isByHand(story) && !again) handMade.forget();
    store.set({ welcome: false });
    void actions
      .run(story)
      .then(() => (isByHand(story) && again ? actions.makeAgain() : undefined))
      .then(heed);
    // The watched run of an experiment: its figures are beside it.
    const info = story.kind === 'scenario' ? scenarios.find(({ id }) => id === story.id) : undefined;
    if (info?.experiment !== undefined) store.set({ tab: 'experiments', experiment: info.experiment });
    if (info?.program !== undefined) store.set({ tab: 'programs' });
    if (info?.scene !== undefined) store.set({ tab: 'learn', playing: false }); // it is read step by step
  }

  /** A file of the visitor's own: kept first, so that its moments have an address and a reload finds it. */
  async function openOwn(name: string, file: Blob): Promise<void> {
    const address = await keepTrace(name, file);
    tellStory({ kind: 'trace', name, file, ...(address === undefined ? {} : { address }) });
  }

  /** The first story, at the moment the address named. */
  async function start(): Promise<void> {
    const { source } = store.get();
    const unnamed: Story = source.kind === 'scenario' ? source : { kind: 'scenario', id: '', seed: 1 };
    try {
      const told = await session.start((await storyAt(source).catch(actions.tell)) ?? unnamed);
      const atStart = told.kind === 'live' || (isByHand(told) && store.get().playing);
      store.set(atStart ? stateAtStartOf(told) : { source: sourceOf(told) });
      if (store.get().guided) store.set({ speed: guidedSpeed(0) ?? kInitialState.speed });
      if (isByHand(told)) await actions.makeAgain();
      // Where one can type comes with the program, unless the address named another panel.
      if (openProgram() !== undefined && store.get().tab === kInitialState.tab) store.set({ tab: 'programs' });
    } catch (error) {
      actions.tell(error);
    }
    heed();
    loop.invalidate();
  }

  /** The program or the trace that an address names; undefined where it names neither. */
  async function storyAt(source: Source): Promise<Story | undefined> {
    if (source.kind === 'live') return await meet(source.id);
    if (source.kind !== 'trace') return undefined;
    if (source.address === undefined) return first;
    return { kind: 'trace', name: source.name, address: source.address, file: await fetchTrace(source.address) };
  }

  /** The program that an address names. */
  async function meet(id: string): Promise<Story> {
    notice.show('Waiting for the program that opened this page …');
    const { name, recorder } = await callProgram(id);
    notice.clear();
    return { kind: 'live', name, id, recorder };
  }

  /** A program that runs elsewhere is asked for news once a screen frame, as long as it is followed. */
  function heed(): void {
    cancelAnimationFrame(heeding);
    if (session.heed()) heeding = requestAnimationFrame(heed);
  }

  /** After a death: the same story again, or the first one when it had not come to one. */
  async function restart(): Promise<void> {
    const story = session.story();
    if (story !== undefined) store.set(stateAtStartOf(story));
    handMade.forget();
    await session.restart().catch(actions.tell);
    if (story === undefined) await start();
    loop.invalidate();
  }

  /** What a link opens over the page. */
  function open(what: Opened | undefined): void {
    if (what === 'share') share.open();
    else if (what === 'find') goTo.open();
    else if (what === 'help') tools.help();
    else if (what === 'table') map.openTable();
  }

  return {
    start,
    open,
    /** To a moment named by an address, whole: what it does not name is as at the story's start. */
    goTo(moment: Moment): void {
      const { source = kInitialState.source, open: opened, ...rest } = moment;
      open(opened);
      const known = source.kind === 'scenario' && source.id === '' ? { ...source, id: firstStory(scenarios) } : source;
      const told = session.story();
      if (told !== undefined && sameSource(known, store.get().source)) {
        store.set({ ...kAtFirstLoad, ...stateAtStartOf(told), ...rest });
        loop.invalidate();
      } else if (known.kind === 'scenario') {
        store.set(kAtFirstLoad);
        tellStory(known, true);
        store.set(rest);
      } else {
        storyAt(known)
          .then((story) => {
            store.set(kAtFirstLoad);
            if (story !== undefined) tellStory(story);
            store.set(rest);
          })
          .catch(actions.tell);
      }
    },
    destroy(): void {
      stopKeys();
      stopDrops();
      theme.destroy();
      loop.dispose();
      cancelAnimationFrame(refreshDue);
      cancelAnimationFrame(heeding);
      session.dispose();
      runs.destroy();
      for (const { view } of panels) view.destroy();
      for (const view of [map, minimap, lives, welcome, opening, goTo, share, experiments]) view.destroy();
      for (const view of [operations, program, words, transport, timeline]) view.destroy();
      layout.element.remove();
    },
  };
}
