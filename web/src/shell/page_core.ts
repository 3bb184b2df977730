// What the views stand on: the session with the engine, the beat that asks for frames, and what the visitor can do.
//
//   store ──▶ actions ──▶ loop ──▶ session        what shows the frames is connected to them later, by page.ts

import { seq } from '../base/brand.ts';
import { createDisposal, type Disposable } from '../base/disposal.ts';
import { type Actions, createActions } from '../moment/actions.ts';
import { type AnswerOf, createAsking } from '../moment/asking.ts';
import { isAhead } from '../moment/first_moment.ts';
import { createFrameLoop, type FrameLoop } from '../moment/frame_loop.ts';
import { createHandMade } from '../moment/hand_made.ts';
import { createLastFrames, type LastFrames } from '../moment/last_frames.ts';
import type { PanelName } from '../moment/panel_names.ts';
import { keepRangeAlong } from '../moment/range_along.ts';
import { infoOf } from '../moment/selection.ts';
import { createSession, type LoadedSource, type Session } from '../moment/session.ts';
import { createSources, type Sources } from '../moment/sources.ts';
import { createStanding, type Standing } from '../moment/standing.ts';
import type { Store } from '../moment/state.ts';
import { createTravel, type Travel } from '../moment/travel.ts';
import type { ScenarioInfo } from '../protocol/messages.ts';
import type { Notice } from './notice.ts';

export interface PageCore extends Disposable {
  readonly store: Store;
  readonly session: Session;
  readonly loop: FrameLoop;
  readonly frames: LastFrames;
  readonly actions: Actions;
  readonly sources: Sources;
  readonly notice: Notice;
  readonly asking: AnswerOf;
  readonly standing: Standing;
  /** To a moment, by those between. */
  travel(event: number, from?: number): void;
  isTravelling(): boolean;
  readonly scenarios: () => readonly ScenarioInfo[];
  /** An answer, a frame or more events are on their way. */
  isBusy(): boolean;
  /** The engine's list of them. */
  setScenarios(scenarios: readonly ScenarioInfo[]): void;
  /** Of the source. */
  readonly title: () => string;
}

export interface PageCoreOptions {
  readonly store: Store;
  readonly notice: Notice;
  readonly panels: readonly PanelName[];
  readonly first: LoadedSource | undefined;
  /** Whether the visitor's own files are kept in this browser. */
  readonly keeps: boolean;
  readonly workerUrl: string | undefined;
  /** Something is under way (settled.ts). */
  stir(): void;
}

export function createPageCore({ store, notice, panels, first, keeps, workerUrl, stir }: PageCoreOptions): PageCore {
  const owned = createDisposal();
  const frames = createLastFrames();
  const handMade = createHandMade();
  let listed: readonly ScenarioInfo[] = [];
  const scenarios = () => listed;

  const session = owned.own(createSession(workerUrl));
  const loop = owned.own(
    createFrameLoop({
      store,
      ask: session.frame,
      ready: session.ready,
      head: () => session.progress().head,
      running: () => session.progress().running || isAhead(store.get()),
      stirred: stir,
    }),
  );
  owned.defer(keepRangeAlong(store, () => session.progress().head));
  const actions = createActions({
    store,
    session,
    loop,
    notice,
    handMade,
    frame: frames.frame,
    chapters: () => frames.timeline()?.marks.map((mark) => mark.seq) ?? [],
  });
  const travel = createTravel({
    store,
    shown: () => frames.frame()?.status.seq,
    moved: loop.stood,
    still: () => matchMedia('(prefers-reduced-motion: reduce)').matches,
  });
  owned.defer(travel.stop);
  const { asking, standing } = createQuestions({ store, session, frames, travel, actions });
  owned.own(asking);
  owned.own(standing);
  const sources = owned.own(
    createSources({
      store,
      session,
      actions,
      notice,
      handMade,
      scenarios,
      panels,
      first,
      keeps,
      invalidate: loop.invalidate,
    }),
  );
  return {
    store,
    session,
    loop,
    frames,
    actions,
    sources,
    notice,
    asking,
    standing,
    travel: travel.to,
    isTravelling: travel.isUnderWay,
    scenarios,
    isBusy: () =>
      session.isBusy() ||
      sources.isBusy() ||
      session.progress().running ||
      store.get().playing ||
      loop.isBusy() ||
      asking.isBusy() ||
      standing.isBusy() ||
      travel.isUnderWay(),
    setScenarios(scenarios) {
      listed = scenarios;
    },
    title() {
      const { source } = store.get();
      return source.kind === 'scenario' ? (infoOf(source, listed)?.title ?? '') : source.name;
    },
    dispose: owned.dispose,
  };
}

/** What is asked of the moment that is shown: by the visitor, and by the page itself. */
function createQuestions({
  store,
  session,
  frames,
  travel,
  actions,
}: Pick<PageCore, 'store' | 'session' | 'frames' | 'actions'> & { readonly travel: Travel }) {
  const shown = (): number | undefined => frames.frame()?.status.seq;
  const heapOf = (heap: number): number => heap || (frames.frame()?.status.heaps[0]?.id ?? 0);
  const asking = createAsking({
    store,
    travel,
    ask: (question, at, heap) => session.answer(question, seq(at), heapOf(heap)),
    shown,
    reaches: (event) => session.ready() && (!session.progress().running || session.progress().head >= event),
    failed: actions.report,
  });
  const standing = createStanding({
    store,
    number: (question, at, heap) => session.standing(question, seq(at), heapOf(heap)),
    shown,
    isMoving: () => store.get().playing || session.progress().running || !session.ready() || travel.isUnderWay(),
  });
  return { asking, standing };
}
