// The middle of the page: the map, the strip beside it, lifetimes in its place, and the theme that all of them are drawn in.

import type { Addr, Seq } from '../base/brand.ts';
import { createDisposal } from '../base/disposal.ts';
import { kDarkTheme } from '../dom/palette.ts';
import { createHeapMap } from '../map/heap_map.ts';
import type { MapDetail } from '../map/heap_map_options.ts';
import { createMinimap } from '../map/minimap.ts';
import { blockNames } from '../map/pool_names.ts';
import type { Session } from '../moment/session.ts';
import type { State, Store } from '../moment/state.ts';
import { kInspect } from '../panels/chunk/part.ts';
import { kLists } from '../panels/lists/part.ts';
import type { Frame } from '../protocol/frames.ts';
import type { FrameRequest } from '../protocol/messages.ts';
import { partOf } from '../protocol/parts.ts';
import { createLivesView } from './lives_view.ts';
import type { Surroundings } from './surroundings.ts';
import { createThemeSwitch } from './theme.ts';

export interface CentreOptions {
  readonly parent: Element;
  readonly store: Store;
  readonly session: Session;
  readonly surroundings: Surroundings;
  seek(event: number): void;
  /** The visitor selected what is at an address, on the map. */
  selected(address: Addr | undefined): void;
  /** Another frame is wanted. */
  invalidate(): void;
  /** The map was drawn. */
  viewed(): void;
}

export type Centre = ReturnType<typeof createCentre>;

export function createCentre(options: CentreOptions) {
  const { parent, store, session, surroundings, seek, selected, invalidate, viewed } = options;
  let at: Seq | undefined; // the event that is shown
  const map = createHeapMap({
    parent: parent,
    theme: kDarkTheme,
    wheelNeedsFocus: surroundings.isGuest, // guest.3
    onViewport: invalidate,
    onSelect: selected,
    onView(from, to) {
      viewed();
      minimap.setView(from, to);
      lives.setView(from, to);
    },
    stackAt: async (address) => (at === undefined || store.get().playing ? [] : session.stack(address, at)),
    onLives: () => store.set({ view: 'lives' }),
    onColour: (colour) => store.set({ colour }),
    onFold: (folded) => store.set({ folded }),
    onPlace: (place) => store.set({ place }),
  });
  const minimap = createMinimap(parent, {
    showAt: map.showAt,
    scrollScreens: map.scrollScreens,
    resized: invalidate,
  });
  const lives = createLivesView({ parent: parent, store, session, map, seek });
  const theme = createThemeSwitch(surroundings, (next) => {
    map.setTheme(next);
    minimap.setTheme(next);
    lives.setTheme(next);
  });
  const owned = createDisposal();
  for (const made of [map, minimap, lives, theme]) owned.own(made);
  theme.set(store.get().theme);
  map.setFolded(store.get().folded);
  map.setPlace(store.get().place);
  map.setColour(store.get().colour);

  return {
    map,
    wants: (): Pick<FrameRequest, 'map' | 'overview'> => ({ map: map.viewport(), overview: minimap.rows() }),
    reveal(address: Addr, size: number): void {
      store.set({ selected: address });
      map.reveal(address, size as Parameters<typeof map.reveal>[1]);
    },
    /** How the frame follows the last one: heap_map_options.ts. */
    show(next: Frame, chosen: Addr | undefined, follows: Pick<MapDetail, 'animate' | 'arrives'>): void {
      if (next.map === undefined) return;
      at = next.status.seq;
      const lists = partOf(next.parts, kLists);
      minimap.update(next.overview);
      map.setFrame(next.map, {
        selected: chosen,
        inspect: partOf(next.parts, kInspect),
        binChain: lists?.binChain,
        names: blockNames(lists?.pools ?? []),
        ...follows,
      });
    },
    /** With every change of the state, at once. */
    follow(state: State, before: State): void {
      if (state.theme !== before.theme) theme.set(state.theme);
      if (state.place !== before.place) map.setPlace(state.place);
      if (state.folded !== before.folded) map.setFolded(state.folded);
      if (state.colour !== before.colour) map.setColour(state.colour);
    },
    lit: map.setLit,
    refresh: lives.update,
    /** Another source is shown. */
    forget(): void {
      minimap.forget();
      lives.forget();
      at = undefined;
    },
    dispose: owned.dispose,
  };
}
