// What <hg-glass> loads once one of them has something to show: the page, and the sheets of its views as text for a shadow root.

import buttonsSheet from './buttons.css?inline';
import glassSheet from './glass_element.css?inline';
import layoutSheet from './layout.css?inline';
import legendSheet from './legend.css?inline';
import shellSheet from './shell.css?inline';

export { createPage } from './page.ts';
export { createStore, kInitialState, kViewerTabs } from './state.ts';
export { readHash } from './url.ts';

const kViewSheets: Readonly<Record<string, string>> = import.meta.glob('../views/*/*.css', {
  query: '?inline',
  import: 'default',
  eager: true,
});

/** The first names the layers, which say who overrules whom. */
export const kSheet = [
  shellSheet,
  buttonsSheet,
  ...Object.values(kViewSheets),
  legendSheet,
  layoutSheet,
  glassSheet,
].join('\n');
