// Stories begin, are found by an address, and begin anew after a death.
//
//   address ──storyAt──▶ story ──tell──▶ session        what the page remembers of the story before is forgotten with it
//
//   The newest wish wins: a story that is found late, when something else was asked for meanwhile, is not told.

import type { ScenarioInfo } from '../protocol/messages.ts';
import { type Actions, isByHand, sameSource, sourceOf, stateAtStartOf } from './actions.ts';
import { findStory } from './find_story.ts';
import type { HandMade } from './hand_made.ts';
import type { Notices } from './notices.ts';
import { keepTrace } from './own_files.ts';
import { type Beginning, openedWith, type PanelName } from './panel_names.ts';
import { guidedSpeed } from './playback.ts';
import { infoOf } from './selection.ts';
import { firstStory, type Session, type Story } from './session.ts';
import { kInitialState, type Source, type State, type Store } from './state.ts';

export interface StoriesOptions {
  readonly store: Store;
  readonly session: Session;
  readonly actions: Actions;
  readonly notice: Notices;
  readonly handMade: HandMade;
  readonly scenarios: () => readonly ScenarioInfo[];
  readonly panels: readonly PanelName[];
  /** What is shown at first in place of what the address names. */
  readonly first: Story | undefined;
  /** Whether the visitor's own files are kept in this browser. */
  readonly keeps: boolean;
  invalidate(): void;
}

/** What a story's start leaves alone and a link does not. */
const kAtFirstLoad = { tab: '', view: kInitialState.view, experiment: undefined };

export type Stories = ReturnType<typeof createStories>;

export function createStories(options: StoriesOptions) {
  const { store, session, actions, notice, handMade, scenarios, invalidate } = options;
  const news = createNews(session);
  const storyAt = (source: Source) => findStory(source, options.first, notice);
  let wishes = 0; // counts what was asked for
  let forget: (story: Story) => void = () => {};

  /** `again`: with what was made in it by hand before. */
  function tell(story: Story, again = false): void {
    ++wishes;
    forget(story);
    if (isByHand(story) && !again) handMade.forget();
    store.set({ welcome: false });
    void actions
      .run(story)
      .then(() => (isByHand(story) && again ? actions.makeAgain() : undefined))
      .then(news.heed);
    openPanel(story, 'visitor');
  }

  /** The panel in which such a story is read or driven. */
  function openPanel(story: Story, by: Beginning['by']): void {
    const info = infoOf(sourceOf(story), scenarios());
    if (info !== undefined) store.set(openedWith(options.panels, { info, by }));
  }

  /** The first story, at the moment the address named. */
  async function start(): Promise<void> {
    const { source } = store.get();
    const unnamed: Story = source.kind === 'scenario' ? source : { kind: 'scenario', id: '', seed: 1 };
    try {
      const told = await session.start((await storyAt(source).catch(actions.tell)) ?? unnamed);
      if (told === undefined) return;
      const atStart = told.kind === 'live' || (isByHand(told) && store.get().playing);
      store.set(atStart ? stateAtStartOf(told) : { source: sourceOf(told) });
      if (store.get().guided) store.set({ speed: guidedSpeed(0) ?? kInitialState.speed });
      if (isByHand(told)) await actions.makeAgain();
      if (store.get().tab === '') openPanel(told, 'link'); // the address named none
    } catch (error) {
      actions.tell(error);
    }
    news.heed();
    invalidate();
  }

  return {
    /** `forgets`: what remembers something of the story before, and is called as another one begins. */
    connect(forgets: (story: Story) => void): void {
      forget = forgets;
    },
    tell,
    start,
    /** A file of the visitor's own: kept first, so that its moments have an address and a reload finds it. */
    async openOwn(name: string, file: Blob): Promise<void> {
      const address = options.keeps ? await keepTrace(name, file) : undefined;
      tell({ kind: 'trace', name, file, ...(address === undefined ? {} : { address }) });
    },
    /** After a death: the same story again, or the first one when it had not come to one. */
    async restart(): Promise<void> {
      const story = session.story();
      if (story !== undefined) store.set(stateAtStartOf(story));
      handMade.forget();
      await session.restart().catch(actions.tell);
      if (story === undefined) await start();
      invalidate();
    },
    /** To a moment named by an address, whole: what it does not name is as at the story's start. */
    async goTo({ source = kInitialState.source, ...rest }: Partial<State>): Promise<void> {
      const wish = ++wishes;
      const unnamed = source.kind === 'scenario' && source.id === '';
      const known = unnamed ? { ...source, id: firstStory(scenarios()) } : source;
      const told = session.story();
      if (told !== undefined && sameSource(known, store.get().source)) {
        store.set({ ...kAtFirstLoad, ...stateAtStartOf(told), ...rest });
        invalidate();
      } else if (known.kind === 'scenario') {
        store.set(kAtFirstLoad);
        tell(known, true);
        store.set(rest);
      } else {
        try {
          const story = await storyAt(known);
          if (wish !== wishes) return;
          store.set(kAtFirstLoad);
          if (story !== undefined) tell(story);
          store.set(rest);
        } catch (error) {
          if (wish === wishes) actions.tell(error);
        }
      }
    },
    dispose: news.dispose,
  };
}

/** A program that runs elsewhere is asked for news once a screen frame, as long as it is followed. */
function createNews(session: Session) {
  let heeding = 0; // an animation frame that asks
  function heed(): void {
    cancelAnimationFrame(heeding);
    if (session.heed()) heeding = requestAnimationFrame(heed);
  }
  return { heed, dispose: () => cancelAnimationFrame(heeding) };
}
