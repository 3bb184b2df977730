// Sources begin, are found by an address, and begin anew after a death.
//
//   address ──load──▶ loaded source ──open──▶ session        what the page remembers of the source before is forgotten with it
//
//   The newest wish wins: a source that is found late, when something else was asked for meanwhile, is not opened.

import type { ScenarioInfo } from '../protocol/messages.ts';
import { type Actions, isByHand, sameSource, sourceOf, stateAtStartOf } from './actions.ts';
import { atEnd, firstScenario, foundAt, kAhead, standingAt } from './first_moment.ts';
import type { HandMade } from './hand_made.ts';
import { createLoader } from './load_source.ts';
import type { Notices } from './notices.ts';
import { keepTrace } from './own_files.ts';
import { type Beginning, openedWith, type PanelName } from './panel_names.ts';
import { infoOf } from './selection.ts';
import type { LoadedSource, Session } from './session.ts';
import { kInitialState, type Source, type State, type Store } from './state.ts';

export interface SourcesOptions {
  readonly store: Store;
  readonly session: Session;
  readonly actions: Actions;
  readonly notice: Notices;
  readonly handMade: HandMade;
  readonly scenarios: () => readonly ScenarioInfo[];
  readonly panels: readonly PanelName[];
  /** What is shown at first in place of what the address names. */
  readonly first: LoadedSource | undefined;
  /** Whether the visitor's own files are kept in this browser. */
  readonly keeps: boolean;
  invalidate(): void;
}

/** What a source's start leaves alone and a link does not. */
const kAtFirstLoad = { tab: '', view: kInitialState.view, experiment: undefined };

export type Sources = ReturnType<typeof createSources>;

export function createSources(options: SourcesOptions) {
  const { store, session, actions, notice, handMade, invalidate } = options;
  const news = createNews(session);
  const { load, isBusy: isLoading } = createLoader(options.first, notice);
  let wishes = 0; // counts what was asked for
  let forget: (loaded: LoadedSource) => void = () => {};

  /** `again`: with what was made in it by hand before. */
  async function open(loaded: LoadedSource, again = false): Promise<void> {
    ++wishes;
    forget(loaded);
    if (isByHand(loaded) && !again) handMade.forget();
    store.set({ welcome: false });
    const running = actions.run(loaded);
    openPanel(loaded, 'visitor');
    await running;
    if (isByHand(loaded) && again) await actions.makeAgain();
    news.heed();
  }

  const openPanel = (loaded: LoadedSource, by: Beginning['by']): void => openPanelOf(options, loaded, by);

  /** At the moment that the address names, or the first one where it names none. */
  async function start(): Promise<void> {
    const { source } = store.get();
    try {
      const shown = await session.start((await load(source).catch(actions.report)) ?? unnamedOf(source));
      if (shown === undefined) {
        const loaded = session.loaded(); // before it was known which panel opens with it
        return loaded && store.get().tab === '' ? openPanel(loaded, 'visitor') : undefined;
      }
      const atStart = shown.kind === 'live' || (isByHand(shown) && store.get().playing);
      store.set(atStart ? stateAtStartOf(shown) : { source: sourceOf(shown) });
      if (isByHand(shown)) await actions.makeAgain();
      beginByLink(options, shown, source);
    } catch (error) {
      actions.report(error);
    }
    news.heed();
    invalidate();
  }

  return {
    /** `forgets`: what remembers something of the source before, and is called as another one begins. */
    connect(forgets: (loaded: LoadedSource) => void): void {
      forget = forgets;
    },
    open: (loaded: LoadedSource) => void open(loaded),
    start,
    /** A trace is fetched, or a program is called. */
    isBusy: (): boolean => isLoading() || handMade.isBusy(),
    /** A file of the visitor's own: kept first, so that its moments have an address and a reload finds it. */
    async openOwn(name: string, file: Blob): Promise<void> {
      const wish = ++wishes;
      const loaded = await ownTrace(options, name, file);
      if (wish !== wishes) return;
      await open(loaded);
      askFirst(options, loaded);
    },
    /** After a death: the same source again, or the first one when it had not come to one. */
    async restart(): Promise<void> {
      const loaded = session.loaded();
      if (loaded !== undefined) store.set(stateAtStartOf(loaded));
      handMade.forget();
      await session.restart().catch(actions.report);
      if (loaded === undefined) await start();
      invalidate();
    },
    /** To a moment named by an address, whole: what it does not name is as at the source's start. */
    async goTo({ source = kInitialState.source, ...rest }: Partial<State>): Promise<void> {
      const wish = ++wishes;
      const { known, moment } = wholeOf(source, rest, options);
      const shown = session.loaded();
      if (shown !== undefined && sameSource(known, store.get().source)) {
        store.set({ ...kAtFirstLoad, ...stateAtStartOf(shown), ...moment });
        invalidate();
      } else if (known.kind === 'scenario') {
        store.set(kAtFirstLoad);
        void open(known, true);
        store.set(moment);
      } else {
        try {
          const loaded = await load(known);
          if (wish !== wishes) return;
          store.set(kAtFirstLoad);
          if (loaded !== undefined) void open(loaded);
          store.set(moment);
        } catch (error) {
          if (wish === wishes) actions.report(error);
        }
      }
      if (moment.first === kAhead) await leadToFirst(options);
    },
    dispose: news.dispose,
  };
}

async function ownTrace({ keeps }: SourcesOptions, name: string, file: Blob): Promise<LoadedSource> {
  const address = keeps ? await keepTrace(name, file) : undefined;
  return { kind: 'trace', name, file, ...(address === undefined ? {} : { address }) };
}

/** The panel in which such a source is read or driven. */
function openPanelOf({ store, panels, scenarios }: SourcesOptions, loaded: LoadedSource, by: Beginning['by']): void {
  const info = infoOf(sourceOf(loaded), scenarios());
  if (info !== undefined) store.set(openedWith(panels, { info, by }));
}

/**
 * Who opens a file of their own, or the address that `heapglass view` prints, has not asked yet: the page asks what leaked, where the file
 * ends. In what comes before, nothing has leaked yet.
 */
function askFirst({ store, session, actions }: SourcesOptions, loaded: LoadedSource): void {
  const { head } = session.progress();
  if (session.loaded() !== loaded || head === 0 || store.get().asking !== undefined) return;
  actions.last();
  store.set({ asking: { question: { ask: 'leaked' }, at: head } });
}

const unnamedOf = (source: Source): LoadedSource =>
  source.kind === 'scenario' ? source : { kind: 'scenario', id: '', seed: 1 };

/** An address that names no source means the first moment, as far as it names nothing else. What is known of that moment stays known. */
function wholeOf(source: Source, rest: Partial<State>, { store, scenarios }: SourcesOptions) {
  const isUnnamed = source.kind === 'scenario' && source.id === '';
  const known = isUnnamed ? { ...source, id: firstScenario(scenarios()) } : source;
  const state = store.get();
  const first = sameSource(known, state.source) ? state.first : undefined;
  if (!isUnnamed || rest.cursor !== undefined) return { known, moment: { first, ...rest } };
  return { known, moment: { ...standingAt(first ?? kAhead), ...rest } };
}

/** What the address left open: the moment (it plays where none is named), the question, the panel. */
function beginByLink(options: SourcesOptions, shown: LoadedSource, source: Source): void {
  const { playing, tab } = options.store.get();
  if (!isNamed(shown, source)) {
    if (playing) void leadToFirst(options);
    return;
  }
  if (playing && shown.kind === 'trace' && shown.address !== undefined) askFirst(options, shown);
  if (tab === '') openPanelOf(options, shown, 'link');
}

/** The first moment lies ahead, until the engine has found it. */
async function leadToFirst({ store, session, actions, invalidate }: SourcesOptions): Promise<void> {
  store.set({ ...standingAt(kAhead), asking: store.get().asking });
  const moment = await session.firstMoment().catch(actions.report);
  const state = store.get();
  store.set(moment === undefined ? atEnd(state) : foundAt(state, moment));
  invalidate();
}

/** False where the address names no scenario that there is: then it is the first moment's. */
const isNamed = (shown: LoadedSource, source: Source): boolean =>
  shown.kind !== 'scenario' || source.kind !== 'scenario' || shown.id === source.id;

/** A program that runs elsewhere is asked for news once a screen frame, as long as it is followed. */
function createNews(session: Session) {
  let heeding = 0; // an animation frame that asks
  function heed(): void {
    cancelAnimationFrame(heeding);
    if (session.heed()) heeding = requestAnimationFrame(heed);
  }
  return { heed, dispose: () => cancelAnimationFrame(heeding) };
}
