// The page's rooms. Views are put into them by main.ts; what is shown where is decided by layout.css alone.
//
//   ┌──────────────────────── top ────────────────────────┐      narrow: top, map, tabs, one panel, bottom
//   ├── tabs ──┬───────────────────────────┬──────────────┤
//   │  panel   │            map            │    panel     │      wide: the panel of the chosen tab at the left,
//   │          │                           │   (beside)   │      the one that stands beside always at the right
//   ├──────────┴───────────────────────────┴──────────────┤
//   └─────────────────────── bottom ──────────────────────┘

import { make, setText } from '../dom/dom.ts';
import { createTabs, type PanelKind } from './tabs.ts';

/** So much of a panel, in pixels, shows what it is. */
const kLeastPanel = 120;

export interface LayoutCallbacks {
  tab(id: string): void;
}

export type Layout = ReturnType<typeof createLayout>;

export function createLayout(parent: Element, kinds: readonly PanelKind[], callbacks: LayoutCallbacks) {
  const top = make('header', { class: 'hg-top' }, make('h1', { class: 'hg-top__name' }, 'heapglass'));
  const map = make('div', { class: 'hg-map-area__map', id: 'hg-heap-map-area' });
  const aboveMap = make('div', { class: 'hg-map-area__above' });
  const mapArea = make('main', { class: 'hg-map-area', 'aria-label': 'Heap map' }, aboveMap, map);
  const bottom = make('section', { class: 'hg-bottom', 'aria-label': 'Time' });
  const notices = make('div', { class: 'hg-notices' });

  const tabs = createTabs(kinds, callbacks.tab);
  // One landmark for all panels; its children take part in the page's grid themselves.
  const panels = make('aside', { class: 'hg-panels', 'aria-label': 'Panels' }, tabs.element, ...tabs.panels);
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
    panel: (id: string): HTMLElement => tabs.panel(id) ?? element,
    /** '': the first panel. */
    show(id: string): void {
      const open = tabs.show(id);
      if (open === undefined || element.dataset['tab'] === open.id) return;
      const { place = 'look', high = false, full = false, tall = false } = open;
      element.dataset['tab'] = open.id;
      // The width is the place's, so that from tab to tab the map stays where it is.
      element.classList.toggle('hg-page--wide-panel', place !== 'look');
      element.classList.toggle('hg-page--full-panel', full);
      // What one looks at is on the map, which keeps its height then.
      element.classList.toggle('hg-page--tall-panel', high || full || tall);
      element.classList.toggle('hg-page--tallest-panel', tall);
    },
    /** Where the open panel lies below the screen, it is brought there: who went through a door sees what is behind it. */
    bring(): void {
      const { bottom: end } = tabs.element.getBoundingClientRect();
      if (end > bottom.getBoundingClientRect().top - kLeastPanel) tabs.element.scrollIntoView({ block: 'start' });
    },
    besideAsTab: tabs.besideAsTab,
    dispose: () => element.remove(),
    /** Of the document, which is the page's own. */
    title(text: string): void {
      const title = document.querySelector('title');
      if (title !== null) setText(title, text);
    },
  };
}
