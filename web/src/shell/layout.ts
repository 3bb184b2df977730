// The page's rooms. Views are put into them by main.ts; what is shown where is decided by layout.css alone.
//
//   ┌──────────────────────── top ────────────────────────┐      narrow: top, map, tabs, one panel, bottom
//   ├── tabs ──┬───────────────────────────┬──────────────┤
//   │  panel   │            map            │    panel     │      wide: the panel of the chosen tab at the left,
//   │          │                           │   (beside)   │      the one that stands beside always at the right
//   ├──────────┴───────────────────────────┴──────────────┤
//   └─────────────────────── bottom ──────────────────────┘

import { focusedBeside, make, setText } from '../dom/dom.ts';
import type { Panel, PanelPlace } from '../panels/panel.ts';

/** What the layout knows of a panel. */
export type PanelRoom = Pick<Panel, 'id' | 'title' | 'place' | 'wide' | 'tall' | 'beside'>;

const kPlaces: Readonly<Record<PanelPlace, string>> = { look: 'Look', make: 'Make', learn: 'Learn' };

export interface LayoutCallbacks {
  tab(id: string): void;
}

export type Layout = ReturnType<typeof createLayout>;

export function createLayout(parent: Element, panelRooms: readonly PanelRoom[], callbacks: LayoutCallbacks) {
  const top = make('header', { class: 'hg-top' }, make('h1', { class: 'hg-top__name' }, 'heapglass'));
  const map = make('div', { class: 'hg-map-area__map', id: 'hg-heap-map-area' });
  const aboveMap = make('div', { class: 'hg-map-area__above' });
  const mapArea = make('main', { class: 'hg-map-area', 'aria-label': 'Heap map' }, aboveMap, map);
  const bottom = make('section', { class: 'hg-bottom', 'aria-label': 'Time' });
  const notices = make('div', { class: 'hg-notices' });

  const tabs = panelRooms.map(({ id: tab, title, place = 'look', ...room }) => {
    const panel = make('div', {
      class: `hg-panel hg-panel--${tab}`,
      id: `hg-panel-${tab}`,
      role: 'tabpanel',
      'aria-labelledby': `hg-tab-${tab}`,
      tabindex: 0, // it scrolls; the keyboard must reach it even when nothing inside takes the focus
    });
    const button = make(
      'button',
      { type: 'button', class: 'hg-tab', id: `hg-tab-${tab}`, role: 'tab', 'aria-controls': `hg-panel-${tab}` },
      title,
    );
    button.addEventListener('click', () => callbacks.tab(tab));
    return { tab, button, panel, place, ...room };
  });
  const tabList = make(
    'div',
    { class: 'hg-tabs__list', role: 'tablist', 'aria-label': 'Panels' },
    ...tabs.map(({ button }) => button),
  );
  const places = createPlaces(tabs, callbacks.tab);
  tabList.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const shown = tabs.filter(({ button }) => button.offsetParent !== null);
    const at = shown.findIndex(({ button }) => button === focusedBeside(button));
    const next = by === undefined ? undefined : shown[(at + by + shown.length) % shown.length];
    if (next === undefined) return;
    event.preventDefault();
    next.button.focus();
    callbacks.tab(next.tab);
  });

  // One landmark for all panels; its children take part in the page's grid themselves.
  const panels = make(
    'aside',
    { class: 'hg-panels', 'aria-label': 'Panels' },
    make('div', { class: 'hg-tabs' }, places.element, tabList),
    ...tabs.map(({ panel }) => panel),
  );
  const areas = make('div', { class: 'hg-areas' }, top, mapArea, panels, bottom);
  const element = make('div', { class: 'hg-page' }, areas, notices);
  parent.append(element);

  return {
    element,
    top,
    aboveMap,
    map,
    bottom,
    notices,
    /** Where the panel of a tab is. */
    panel: (id: string): HTMLElement => tabs.find(({ tab }) => tab === id)?.panel ?? element,
    /** '': the first panel. */
    show(id: string): void {
      const open = tabs.find(({ tab }) => tab === id) ?? tabs[0];
      if (open === undefined || element.dataset['tab'] === open.tab) return;
      const { tab, wide = false, tall = false } = open;
      element.dataset['tab'] = tab;
      places.show(open);
      for (const each of tabs) each.button.hidden = each.place !== open.place;
      element.classList.toggle('hg-page--wide-panel', wide);
      element.classList.toggle('hg-page--tall-panel', wide || tall);
      element.classList.toggle('hg-page--tallest-panel', tall);
      for (const each of tabs) {
        const chosen = each.tab === tab;
        each.button.setAttribute('aria-selected', String(chosen));
        each.button.tabIndex = chosen ? 0 : -1;
        each.panel.classList.toggle('hg-panel--shown', chosen);
      }
      // On a wide screen what stands beside has no tab: the first panel keeps the left column and the first stop of Tab.
      const [first] = tabs;
      first?.panel.classList.toggle('hg-panel--shown-wide', open.beside === true);
      if (open.beside === true && first !== undefined) first.button.tabIndex = 0;
    },
    /** The panel beside the map, where the screen is so narrow that it is one of the tabs. */
    besideAsTab: () => tabs.find(({ beside, button }) => beside === true && button.offsetParent !== null)?.tab,
    dispose: () => element.remove(),
    /** Of the document, which is the page's own. */
    title(text: string): void {
      const title = document.querySelector('title');
      if (title !== null) setText(title, text);
    },
  };
}

/** Looking, making, learning: buttons that lead to the panel of each that was open last. None where there is one place only. */
function createPlaces(
  tabs: readonly { readonly tab: string; readonly place: PanelPlace }[],
  open: (tab: string) => void,
) {
  const last = new Map<PanelPlace, string>();
  for (const { tab, place } of tabs) if (!last.has(place)) last.set(place, tab);
  const buttons = [...last.keys()].map((place) => {
    const button = make('button', { type: 'button', class: 'hg-place' }, kPlaces[place]);
    button.addEventListener('click', () => open(last.get(place) ?? ''));
    return { place, button };
  });
  return {
    element: make(
      'div',
      { class: 'hg-places', role: 'group', 'aria-label': 'Places', hidden: buttons.length < 2 },
      ...buttons.map(({ button }) => button),
    ),
    show({ tab, place }: { readonly tab: string; readonly place: PanelPlace }): void {
      last.set(place, tab);
      for (const each of buttons) each.button.setAttribute('aria-pressed', String(each.place === place));
    },
  };
}
