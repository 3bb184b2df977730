// Panels as tabs, in three places: looking at what is shown, making something run, learning how it works. Only the tabs of one place
// are shown.
//
//   [ Look │ Make │ Learn ]
//   Lists  Heaps  Sizes ...

import { focusedBeside, make } from '../dom/dom.ts';
import type { Panel, PanelPlace } from '../panels/panel.ts';

/** What the layout knows of a panel. */
export type PanelKind = Pick<Panel, 'id' | 'title' | 'place' | 'high' | 'full' | 'tall' | 'beside'>;

const kPlaces: readonly (readonly [PanelPlace, string])[] = [
  ['look', 'Look'],
  ['make', 'Make'],
  ['learn', 'Learn'],
];

/** The tab that shows a chunk which was chosen now: the panel beside the map, unless the open one shows it itself, or there is no such tab. */
export function tabForSelection(
  kinds: readonly Pick<Panel, 'id' | 'takesSelection'>[],
  open: string,
  beside: string | undefined,
): string | undefined {
  return kinds.some(({ id, takesSelection }) => id === open && takesSelection === true) ? undefined : beside;
}

/** `choose`: the visitor opens a panel. */
export function createTabs(kinds: readonly PanelKind[], choose: (id: string) => void) {
  const tabs = kinds.map((kind) => ({ ...kind, place: kind.place ?? 'look', ...makeTab(kind, choose) }));
  const list = make(
    'div',
    { class: 'hg-tabs__list', role: 'tablist', 'aria-label': 'Panels' },
    ...tabs.map(({ button }) => button),
  );
  const places = createPlaces(tabs, choose);
  list.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const shown = tabs.filter(({ button }) => button.offsetParent !== null);
    const at = shown.findIndex(({ button }) => button === focusedBeside(button));
    const next = by === undefined ? undefined : shown[(at + by + shown.length) % shown.length];
    if (next === undefined) return;
    event.preventDefault();
    next.button.focus();
    choose(next.id);
  });
  let open: (typeof tabs)[number] | undefined;

  return {
    element: make('div', { class: 'hg-tabs' }, places.element, list),
    panels: tabs.map(({ panel }) => panel),
    panel: (id: string): HTMLElement | undefined => tabs.find((tab) => tab.id === id)?.panel,
    /** '': the first panel. The one that is open then. */
    show(id: string): PanelKind | undefined {
      const next = tabs.find((tab) => tab.id === id) ?? tabs[0];
      if (next === undefined || next === open) return next;
      open = next;
      places.show(next);
      for (const { id: each, place, button, panel } of tabs) {
        const chosen = each === next.id;
        button.hidden = place !== next.place;
        button.setAttribute('aria-selected', String(chosen));
        button.tabIndex = chosen ? 0 : -1;
        panel.classList.toggle('hg-panel--shown', chosen);
      }
      // On a wide screen what stands beside has no tab: the first panel keeps the left column and the first stop of Tab.
      const [first] = tabs;
      first?.panel.classList.toggle('hg-panel--shown-wide', next.beside === true);
      if (next.beside === true && first !== undefined) first.button.tabIndex = 0;
      return next;
    },
    /** The panel beside the map, where the screen is so narrow that it is one of the tabs. */
    besideAsTab: () =>
      tabs.find(({ beside, panel }) => beside === true && getComputedStyle(panel).gridRowStart === 'panel')?.id,
  };
}

function makeTab({ id, title }: PanelKind, choose: (id: string) => void) {
  const panel = make('div', {
    class: `hg-panel hg-panel--${id}`,
    id: `hg-panel-${id}`,
    role: 'tabpanel',
    'aria-labelledby': `hg-tab-${id}`,
    tabindex: 0, // it scrolls; the keyboard must reach it even when nothing inside takes the focus
  });
  const button = make(
    'button',
    { type: 'button', class: 'hg-tab', id: `hg-tab-${id}`, role: 'tab', 'aria-controls': `hg-panel-${id}` },
    title,
  );
  button.addEventListener('click', () => choose(id));
  return { button, panel };
}

/** Looking, making, learning: buttons that lead to the panel of each that was open last. None where there is one place only. */
function createPlaces(
  tabs: readonly { readonly id: string; readonly place: PanelPlace }[],
  open: (id: string) => void,
) {
  const last = new Map<PanelPlace, string>();
  for (const { id, place } of tabs) if (!last.has(place)) last.set(place, id);
  const buttons = kPlaces
    .filter(([place]) => last.has(place))
    .map(([place, name]) => {
      const button = make('button', { type: 'button', class: 'hg-place' }, name);
      button.addEventListener('click', () => open(last.get(place) ?? ''));
      return { place, button };
    });
  return {
    element: make(
      'div',
      { class: 'hg-places', role: 'group', 'aria-label': 'Places', hidden: buttons.length < 2 },
      ...buttons.map(({ button }) => button),
    ),
    show({ id, place }: { readonly id: string; readonly place: PanelPlace }): void {
      last.set(place, id);
      for (const each of buttons) each.button.setAttribute('aria-pressed', String(each.place === place));
    },
  };
}
