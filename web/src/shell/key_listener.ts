// Keys of the whole page, by the table in keys.ts; a guest hears those that are pressed in it, and has no history of its own.

import type { StepUnit, Store } from '../moment/state.ts';
import { type Action, actionOf, focusOf } from './keys.ts';
import type { Surroundings } from './surroundings.ts';

export interface KeyTargets {
  togglePlay(): void;
  step(by: -1 | 1, unit: StepUnit): void;
  first(): void;
  last(): void;
  bookmark(): void;
  toBookmark(by: -1 | 1): void;
  goTo(): void;
  share(): void;
  search(): void;
  help(): void;
  select(address: undefined): void;
}

export function listenForKeys({ root, isGuest }: Surroundings, store: Store, targets: KeyTargets): () => void {
  const actions: Readonly<Record<Action, () => void>> = {
    togglePlay: targets.togglePlay,
    backEvent: () => targets.step(-1, 'event'),
    forwardEvent: () => targets.step(1, 'event'),
    backOperation: () => targets.step(-1, 'operation'),
    forwardOperation: () => targets.step(1, 'operation'),
    first: targets.first,
    last: targets.last,
    view: () => store.set({ view: store.get().view === 'map' ? 'lives' : 'map' }),
    bookmark: targets.bookmark,
    previousBookmark: () => targets.toBookmark(-1),
    nextBookmark: () => targets.toBookmark(1),
    undoView: () => (isGuest ? undefined : history.back()),
    redoView: () => (isGuest ? undefined : history.forward()),
    goTo: targets.goTo,
    share: targets.share,
    search: targets.search,
    help: targets.help,
    clearSelection() {
      targets.select(undefined);
      store.set({ bin: undefined });
    },
  };
  const press = (event: Event) => {
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented) return; // the focused view has used it
    if (root.querySelector('dialog[open], :popover-open') !== null) return; // what is open has the keys
    const { key, ctrlKey, altKey, metaKey } = event;
    const focus = focusOf(event.target ?? undefined);
    const action = actionOf({ key, ctrlKey, altKey, metaKey, focus }, store.get().shortcuts);
    if (action === undefined) return;
    event.preventDefault();
    actions[action]();
  };
  root.addEventListener('keydown', press);
  return () => root.removeEventListener('keydown', press);
}
