// The address bar and the browser's history: the page's moment is written there, and what is written there is gone to.
//
//   A1  A moment that the visitor chose (a seek, a selection, a place on the map, a stretch of time, a panel, a source) is an
//       entry of its own: Back leads to the one before. What time does by itself while it plays is no entry.
//   A2  Steps that follow each other within kWriteAfterMs are one entry, and so is all that happens while a pointer is pressed: a drag
//       through time, however slow. While time passes by itself the address is written that often.
//   A3  Going back, going on, and a link pasted over the address replace the whole moment: what the link does not name is as
//       at first load, and nothing of the old moment stays.
//   A4  The moments of a file or a text of the visitor's own have no address; its entries keep them beside it.
//   A5  A page has not settled while its moment is still to be written.

import { sameSource } from './actions.ts';
import type { PanelName } from './panel_names.ts';
import type { State, Store } from './state.ts';
import { type Moment, readHash, writeHash, writeMoment } from './url.ts';

/** Browsers refuse addresses written too often; the last one is written this long after a change. */
const kWriteAfterMs = 250;

export interface AddressPage {
  /** A3 */
  goTo(moment: Moment, unread: readonly string[]): void;
  /** A5 */
  settlesAfter(isBusy: () => boolean): void;
}

/** What an entry of the history keeps: the moment's parameters, and of which source that has no address. */
interface Entry {
  readonly moment: string;
  readonly own: string | undefined;
}

export function keepAddress(store: Store, page: AddressPage, panels: readonly PanelName[]): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let written = store.get();
  let going = false; // to a moment of the history: it is written already
  let pressed = false; // A2
  let held = false; // something is to be written when the pointer is up again

  const entryOf = (state: State): Entry => ({ moment: writeMoment(state, panels), own: ownName(state) });

  store.subscribe(writeSoon);
  page.settlesAfter(() => held || waiting !== undefined);
  addEventListener('pointerdown', () => (pressed = true), { capture: true });
  for (const end of ['pointerup', 'pointercancel', 'dragend', 'blur'])
    addEventListener(end, release, { capture: true });

  function release(): void {
    pressed = false;
    if (held) writeSoon();
  }

  function writeSoon(): void {
    if (waiting !== undefined && !isStill(store.get())) return;
    clearTimeout(waiting);
    held = pressed && isStill(store.get());
    waiting = held ? undefined : setTimeout(write, kWriteAfterMs);
  }

  function write(): void {
    waiting = undefined;
    const state = store.get();
    const before = written;
    written = state;
    const hash = writeHash(state, panels);
    const entry = entryOf(state);
    const known = isEntry(history.state) ? history.state : undefined;
    const chosen = !going && known !== undefined && wasChosen(before, state, (of) => writeMoment(of, panels));
    going = false;
    if (known?.moment === entry.moment && known.own === entry.own && hash === location.hash) return;
    const address = hash === '' ? location.pathname + location.search : hash;
    if (chosen) history.pushState(entry, '', address);
    else history.replaceState(entry, '', address);
  }

  // Also for a link typed or pasted over the address: then no entry's state comes with it.
  addEventListener('popstate', ({ state }) => {
    going = true;
    const entry = isEntry(state) ? state : undefined;
    const own = entry?.own !== undefined && entry.own === ownName(store.get()) ? store.get().source : undefined;
    const unread: string[] = [];
    const moment = readHash(own === undefined ? location.hash : (entry?.moment ?? ''), panels, unread);
    page.goTo(own === undefined ? moment : { ...moment, source: own }, unread);
    writeSoon();
  });
}

/** ?src=<address> opens a trace, as links from other tools write it: from then on it is a part of the moment. */
export function takeSource(): void {
  const query = new URLSearchParams(location.search);
  const source = query.get('src');
  if (source === null || source === '') return;
  query.delete('src');
  const moment = location.hash.replace(/^#/, '');
  const rest = query.size === 0 ? '' : `?${query}`;
  const hash = `#trace=${encodeURIComponent(source)}${moment === '' ? '' : `&${moment}`}`;
  history.replaceState(null, '', `${location.pathname}${rest}${hash}`);
}

/** A1 */
function wasChosen(before: State, now: State, momentOf: (state: State) => string): boolean {
  if (before.source.kind === 'scenario' && before.source.id === '') return false; // the first scenario, which nobody asked for
  if (!sameSource(before.source, now.source)) return true;
  if (
    momentOf({ ...before, cursor: now.cursor }) === momentOf({ ...now, playing: before.playing, follow: before.follow })
  )
    return isStill(before) && isStill(now) && before.cursor !== now.cursor;
  return true;
}

const isStill = ({ playing, follow }: State): boolean => !playing && !follow;

const ownName = ({ source }: State): string | undefined =>
  source.kind === 'words' || (source.kind === 'trace' && source.address === undefined) ? source.name : undefined;

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && 'moment' in value && typeof value.moment === 'string';
