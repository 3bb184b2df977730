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
import type { Session, Story } from './session.ts';
import type { Source, State, StepUnit, Store } from './state.ts';

/** The scenario without a story: an empty heap to drive. */
export const kByHand = 'by_hand';

export const isByHand = (story: Story): boolean => story.kind === 'scenario' && story.id === kByHand;

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

/** What the state remembers of a story: its name, not its text. */
export function sourceOf(story: Story): Source {
  if (story.kind === 'scenario') return story;
  if (story.kind === 'script') return { kind: 'script', name: story.name, packed: story.packed };
  if (story.kind === 'live') return { kind: 'live', name: story.name, id: story.id };
  const address = story.kind === 'trace' ? story.address : undefined;
  return { kind: story.kind, name: story.name, ...(address === undefined ? {} : { address }) };
}

export const sameSource = (one: Source, other: Source): boolean =>
  (one.kind === 'live' && other.kind === 'live' && one.id === other.id) ||
  (one.kind === 'script' && other.kind === 'script' && one.packed === other.packed) ||
  (one.kind === 'words' && other.kind === 'words' && one.name === other.name) ||
  (one.kind === 'trace' && other.kind === 'trace' && one.address === other.address && one.name === other.name) ||
  (one.kind === 'scenario' && other.kind === 'scenario' && one.id === other.id && one.seed === other.seed);

/** The state in which a story begins: from its first event, playing; by hand there is nothing to play, and a program that runs
 * is shown as it is now. */
export function stateAtStartOf(story: Story): Partial<State> {
  const byHand = isByHand(story);
  const now = byHand || story.kind === 'live' || story.kind === 'script';
  return {
    source: sourceOf(story),
    cursor: seq(0),
    playing: !now,
    follow: now,
    guided: false,
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
  /** A death is told by the session itself; all else that fails is told here. */
  function tell(error: unknown): void {
    if (error instanceof EngineError && error.gone) return;
    notice.show(error instanceof Error ? error.message : String(error));
  }

  function standAt(at: Seq): void {
    store.set({ cursor: at, follow: false, playing: false, guided: false });
    loop.stood();
  }

  async function run(story: Story): Promise<void> {
    notice.clear();
    store.set(stateAtStartOf(story));
    await session.run(story).catch((error: unknown) => {
      store.set({ playing: false }); // there is nothing to play
      tell(error);
    });
    loop.invalidate();
  }

  const callOf = ({ heap, operation }: Call) => session.operate(heap, operation);

  return {
    tell,
    run,
    /** The calls that were made by hand before the page was loaded again, or another story was told. */
    async makeAgain(): Promise<void> {
      await handMade.again(callOf).catch(tell);
      loop.invalidate();
    },
    seek: (at: number) => standAt(seq(Math.max(0, Math.round(at)))),
    step(by: -1 | 1, unit: StepUnit): void {
      store.set({ follow: false, playing: false, guided: false });
      loop.step(by, unit);
    },
    /** A bookmark at the event that is shown, or none there any more. */
    bookmark(): void {
      const { bookmarks, cursor } = store.get();
      store.set({ bookmarks: toggled(bookmarks, cursor), guided: false });
    },
    /** To the next bookmark or chapter, or the one before. */
    toBookmark(by: 1 | -1): void {
      const { bookmarks, cursor } = store.get();
      const place = nextPlace([...bookmarks, ...chapters()], cursor, by);
      if (place !== undefined) standAt(seq(place));
    },
    first: () => standAt(seq(0)),
    last(): void {
      store.set({ follow: true, playing: false, guided: false });
      loop.invalidate();
    },
    togglePlay(): void {
      const { playing, cursor } = store.get();
      if (playing) {
        store.set({ playing: false, follow: false, guided: false });
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
      await session.runText(text).catch(tell);
      store.set({ follow: true, playing: false });
      loop.invalidate();
    },
    async verify(): Promise<void> {
      await session.verify().catch(tell);
      loop.invalidate();
    },
    async saveTrace(): Promise<void> {
      try {
        const { name, file } = await session.saveTrace();
        saveFile(name, file);
      } catch (error) {
        tell(error);
      }
    },
    select: (selected: Addr | undefined) => store.set({ selected, guided: false }),
  };
}
