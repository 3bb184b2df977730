// The page's rooms. Views are put into them by main.ts; what is shown where is decided by layout.css alone.
//
//   ┌──────────────────────── top ────────────────────────┐      narrow: top, map, tabs, one panel, bottom
//   ├── tabs ──┬───────────────────────────┬──────────────┤
//   │  panel   │            map            │    chunk     │      wide: the panel of the chosen tab at the left,
//   │          │                           │   (panel)    │      the chunk's panel always at the right
//   ├──────────┴───────────────────────────┴──────────────┤
//   └─────────────────────── bottom ──────────────────────┘

import { focusedBeside, make, setText } from '../dom/dom.ts';
import { kTabs, type Tab } from '../moment/state.ts';

const kNames: Readonly<Record<Tab, string>> = {
  lists: 'Lists',
  heaps: 'Heaps',
  sizes: 'Sizes',
  compare: 'Compare',
  sites: 'Sites',
  experiments: 'Experiments',
  operate: 'Operate',
  script: 'Script',
  programs: 'Programs',
  learn: 'Learn',
  chunk: 'Chunk',
};

/** Charts and matrices: they need more room than lists do. */
const kWidePanels: readonly Tab[] = ['experiments', 'heaps', 'programs', 'script', 'sites'];

export interface LayoutCallbacks {
  tab(tab: Tab): void;
}

export type Layout = ReturnType<typeof createLayout>;

/** `wanted`: the tabs there are; the panels of the others are made and never shown. */
export function createLayout(parent: Element, wanted: readonly Tab[], callbacks: LayoutCallbacks) {
  const top = make('header', { class: 'hg-top' }, make('h1', { class: 'hg-top__name' }, 'heapglass'));
  const map = make('div', { class: 'hg-map-room__map', id: 'hg-heap-map-room' });
  const aboveMap = make('div', { class: 'hg-map-room__above' });
  const mapRoom = make('main', { class: 'hg-map-room', 'aria-label': 'Heap map' }, aboveMap, map);
  const bottom = make('section', { class: 'hg-bottom', 'aria-label': 'Time' });
  const notices = make('div', { class: 'hg-notices' });

  const tabs = kTabs.map((tab) => {
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
      kNames[tab],
    );
    button.addEventListener('click', () => callbacks.tab(tab));
    button.hidden = panel.hidden = !wanted.includes(tab);
    return { tab, button, panel };
  });
  const tabList = make(
    'div',
    { class: 'hg-tabs', role: 'tablist', 'aria-label': 'Panels' },
    ...tabs.map(({ button }) => button),
  );
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
    tabList,
    ...tabs.map(({ panel }) => panel),
  );
  const rooms = make('div', { class: 'hg-rooms' }, top, mapRoom, panels, bottom);
  const element = make('div', { class: 'hg-page' }, rooms, notices);
  parent.append(element);

  const panelOf = (tab: Tab): HTMLElement => tabs.find((each) => each.tab === tab)?.panel ?? element;
  return {
    element,
    top,
    aboveMap,
    map,
    bottom,
    notices,
    /** Where the panel of a tab is. */
    room: panelOf,
    experiments: panelOf('experiments'),
    operate: panelOf('operate'),
    programs: panelOf('programs'),
    show(tab: Tab): void {
      if (element.dataset['tab'] === tab) return;
      element.dataset['tab'] = tab;
      element.classList.toggle('hg-page--wide-panel', kWidePanels.includes(tab));
      element.classList.toggle('hg-page--tall-panel', kWidePanels.includes(tab) || tab === 'operate');
      for (const each of tabs) {
        const chosen = each.tab === tab;
        each.button.setAttribute('aria-selected', String(chosen));
        each.button.tabIndex = chosen ? 0 : -1;
        each.panel.classList.toggle('hg-panel--shown', chosen);
      }
      // On a wide screen the chunk's tab is not there: the lists keep the left column and the first stop of Tab.
      const lists = tabs[0];
      if (tab === 'chunk' && lists !== undefined) {
        lists.panel.classList.add('hg-panel--shown-wide');
        lists.button.tabIndex = 0;
      } else lists?.panel.classList.remove('hg-panel--shown-wide');
    },
    chunkIsTab: () => tabs.some(({ tab, button }) => tab === 'chunk' && button.offsetParent !== null),
    /** Of the document, which is the page's own. */
    title(text: string): void {
      const title = document.querySelector('title');
      if (title !== null) setText(title, text);
    },
  };
}
