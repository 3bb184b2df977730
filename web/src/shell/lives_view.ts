// The lifetimes beside the rest of the page: its window is the map's part of memory and the time line's part of time, and what is
// asked of the engine is asked when that window rests.
//
//   lives.1  One question is under way at a time; it is asked again when the window has changed meanwhile.
//   lives.2  While the source runs or plays nothing is asked: the last picture stays, with the cursor moving over it.

import { addr, seq } from '../base/brand.ts';
import type { HeapMap } from '../map/heap_map_options.ts';
import { createLives } from '../map/lives.ts';
import type { Session } from '../moment/session.ts';
import type { Store } from '../moment/state.ts';
import type { LivesWindow } from '../protocol/whole_trace.ts';

const kLeastEvents = 20;

export interface LivesViewOptions {
  readonly parent: Element;
  readonly store: Store;
  readonly session: Session;
  readonly map: HeapMap;
  seek(event: number): void;
}

export function createLivesView({ parent, store, session, map, seek }: LivesViewOptions) {
  let view = { from: 0, to: 0 };
  let asked = '';
  let asking = false;

  const range = () => store.get().range ?? { from: 0, to: session.progress().head };
  const lives = createLives(parent, {
    brush({ from, to, low, high }) {
      const wide = Math.max(to - from, kLeastEvents);
      store.set({ range: { from, to: Math.min(from + wide, session.progress().head) } });
      map.fit(low, high);
    },
    all() {
      store.set({ range: undefined, place: undefined });
    },
    pick(event, address) {
      if (address !== undefined) store.set({ selected: addr(address) });
      seek(event);
    },
    zoomTime(factor) {
      const { head } = session.progress();
      const { from, to } = range();
      const middle = Math.min(Math.max(store.get().cursor, from), to);
      const wide = Math.max((to - from) * factor, kLeastEvents);
      const begin = Math.max(0, Math.round(middle - ((middle - from) / Math.max(to - from, 1)) * wide));
      store.set({ range: wide >= head ? undefined : { from: begin, to: Math.min(Math.round(begin + wide), head) } });
    },
    close: () => store.set({ view: 'map' }),
    resized: () => void ask(),
  });

  function windowNow(): LivesWindow | undefined {
    const { from, to } = range();
    // All of the memory is what heaps have at any moment of the window, not at the one that is shown.
    const all = store.get().place === undefined;
    const low = all ? 0 : Math.max(Math.floor(view.from), 0);
    const high = all ? 2 ** 32 : Math.min(Math.ceil(view.to), 2 ** 32);
    if (high <= low || to <= from) return undefined;
    return { from: seq(from), to: seq(to), low: addr(low), high: addr(high), ...lives.size() };
  }

  async function ask(): Promise<void> {
    const state = store.get();
    if (state.view !== 'lives' || asking || !session.ready()) return;
    const wanted = windowNow();
    if (wanted === undefined) return;
    if (asked !== '' && (state.playing || session.progress().running)) return; // lives.2
    const key = JSON.stringify(wanted);
    if (key === asked) return;
    asked = key;
    asking = true;
    try {
      lives.setFrame(await session.lives(wanted));
    } catch (error) {
      lives.failed(error instanceof Error ? error.message : String(error));
    } finally {
      asking = false;
    }
    await ask(); // lives.1
  }

  return {
    setTheme: lives.setTheme,
    /** The part of memory that the map shows. */
    setView(from: number, to: number): void {
      view = { from, to };
      void ask();
    },
    update(): void {
      const { view: shown, cursor, selected } = store.get();
      lives.show(shown === 'lives');
      lives.setMarks({ cursor, selected });
      void ask();
    },
    forget(): void {
      asked = '';
    },
    dispose: lives.dispose,
  };
}
