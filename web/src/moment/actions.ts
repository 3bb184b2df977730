// What the visitor can do, whichever button, key or gesture said it: each a change of the state, a request to the
// engine, or both.

import { type Addr, type Seq, seq } from '../base/brand.ts';
import { EngineError } from '../client/engine_client.ts';
import type { Frame } from '../protocol/frames.ts';
import type { Operation, OperationResult } from '../protocol/messages.ts';
import { nextPlace, toggled } from './bookmarks.ts';
import { saveFile } from './files.ts';
import type { FrameLoop } from './frame_loop.ts';
import type { Call, HandMade } from './hand_made.ts';
import type { Notices } from './notices.ts';
import type { LoadedSource, Session } from './session.ts';
import type { Source, State, StepUnit, Store } from './state.ts';

/** The scenario without steps of its own: an empty heap to drive. */
export const kByHand = 'by_hand';

export const isByHand = (loaded: LoadedSource): boolean => loaded.kind === 'scenario' && loaded.id === kByHand;

export interface ActionsOptions {
  readonly store: Store;
  readonly session: Session;
  readonly loop: FrameLoop;
  readonly notice: Notices;
  readonly handMade: HandMade;
  /** The last frame shown. */
  readonly frame: () => Frame | undefined;
  /** Where the chapters begin that the time line shows. */
  readonly chapters: () => readonly number[];
}

export type Actions = ReturnType<typeof createActions>;

/** What the state remembers of a source: its name, not its text. */
export function sourceOf(loaded: LoadedSource): Source {
  if (loaded.kind === 'scenario') return loaded;
  if (loaded.kind === 'script') return { kind: 'script', name: loaded.name, packed: loaded.packed };
  if (loaded.kind === 'live') return { kind: 'live', name: loaded.name, id: loaded.id };
  const address = loaded.kind === 'trace' ? loaded.address : undefined;
  return { kind: loaded.kind, name: loaded.name, ...(address === undefined ? {} : { address }) };
}

export const sameSource = (one: Source, other: Source): boolean =>
  (one.kind === 'live' && other.kind === 'live' && one.id === other.id) ||
  (one.kind === 'script' && other.kind === 'script' && one.packed === other.packed) ||
  (one.kind === 'words' && other.kind === 'words' && one.name === other.name) ||
  (one.kind === 'trace' && other.kind === 'trace' && one.address === other.address && one.name === other.name) ||
  (one.kind === 'scenario' &&
    other.kind === 'scenario' &&
    one.id === other.id &&
    one.seed === other.seed &&
    one.number === other.number);

/** The state in which a source begins: from its first event, playing; by hand there is nothing to play, and a program that runs
 * is shown as it is now. */
export function stateAtStartOf(loaded: LoadedSource): Partial<State> {
  const byHand = isByHand(loaded);
  const now = byHand || loaded.kind === 'live' || loaded.kind === 'script';
  return {
    source: sourceOf(loaded),
    first: undefined,
    cursor: seq(0),
    playing: !now,
    follow: now,
    range: undefined,
    since: undefined,
    bookmarks: [],
    selected: undefined,
    asking: undefined,
    place: undefined,
    colour: 'age',
    heap: 0,
    bin: undefined,
    pool: undefined,
  };
}

export function createActions({ store, session, loop, notice, handMade, frame, chapters }: ActionsOptions) {
  /** A death is reported by the session itself; all else that fails is reported here. */
  function report(error: unknown): void {
    if (error instanceof EngineError && error.gone) return;
    notice.show(error instanceof Error ? error.message : String(error));
  }

  function standAt(at: Seq): void {
    store.set({ cursor: at, follow: false, playing: false });
    loop.stood();
  }

  async function run(loaded: LoadedSource): Promise<void> {
    notice.clear();
    store.set(stateAtStartOf(loaded));
    await session.run(loaded).catch((error: unknown) => {
      store.set({ playing: false }); // there is nothing to play
      report(error);
    });
    loop.invalidate();
  }

  const callOf = ({ heap, operation }: Call) => session.operate(heap, operation);

  return {
    report,
    run,
    /** The calls that were made by hand before the page was loaded again, or another source was shown. */
    async makeAgain(): Promise<void> {
      await handMade.again(callOf).catch(report);
      loop.invalidate();
    },
    seek: (at: number) => standAt(seq(Math.max(0, Math.round(at)))),
    step(by: -1 | 1, unit: StepUnit): void {
      store.set({ follow: false, playing: false });
      loop.step(by, unit);
    },
    /** A bookmark at the event that is shown, or none there any more. */
    bookmark(): void {
      const { bookmarks, cursor } = store.get();
      store.set({ bookmarks: toggled(bookmarks, cursor) });
    },
    /** To the next bookmark or chapter, or the one before. */
    toBookmark(by: 1 | -1): void {
      const { bookmarks, cursor } = store.get();
      const place = nextPlace([...bookmarks, ...chapters()], cursor, by);
      if (place !== undefined) standAt(seq(place));
    },
    first: () => standAt(seq(0)),
    last(): void {
      store.set({ follow: true, playing: false });
      loop.invalidate();
    },
    togglePlay(): void {
      const { playing, cursor } = store.get();
      if (playing) {
        store.set({ playing: false, follow: false });
        return;
      }
      const { head, running } = session.progress();
      // At the end there is nothing left to play: from the beginning then.
      store.set({ playing: true, follow: false, ...(cursor >= head && !running ? { cursor: seq(0) } : {}) });
      loop.invalidate();
    },
    async operate(operation: Operation): Promise<OperationResult> {
      const heap = store.get().heap || (frame()?.status.heaps[0]?.id ?? 0);
      const made = { heap, operation };
      const { source } = store.get();
      const result = await (source.kind === 'scenario' && source.id === kByHand
        ? handMade.make(made, callOf)
        : callOf(made));
      store.set({ follow: true, playing: false }); // calls act on the present: look at it
      loop.invalidate();
      return result;
    },
    async runText(text: string): Promise<void> {
      await session.runText(text).catch(report);
      store.set({ follow: true, playing: false });
      loop.invalidate();
    },
    async verify(): Promise<void> {
      await session.verify().catch(report);
      loop.invalidate();
    },
    async saveTrace(): Promise<void> {
      try {
        const { name, file } = await session.saveTrace();
        saveFile(name, file);
      } catch (error) {
        report(error);
      }
    },
    select: (selected: Addr | undefined) => store.set({ selected }),
  };
}
