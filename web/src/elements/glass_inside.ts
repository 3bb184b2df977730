// What <hg-glass> loads once one of them has something to show: the page, and the sheets of its views as text for a shadow root.

import tokens from '../base/tokens.css?inline';
import buttonsSheet from '../shell/buttons.css?inline';
import layoutSheet from '../shell/layout.css?inline';
import legendSheet from '../shell/legend.css?inline';
import lowScreenSheet from '../shell/low_screen.css?inline';
import shellSheet from '../shell/shell.css?inline';
import glassSheet from './glass_element.css?inline';

export { createStore, kInitialState } from '../moment/state.ts';
export { readHash } from '../moment/url.ts';
export { kViewerPanels } from '../panels/page.ts';
export { createPage } from '../shell/page.ts';

const kViewSheets: Readonly<Record<string, string>> = import.meta.glob(
  ['../map/*.css', '../panels/*/*.css', '../shell/*/*.css'],
  {
    query: '?inline',
    import: 'default',
    eager: true,
  },
);

/** The tokens, then the sheet that names the layers, which say who overrules whom. */
export const kSheet = [
  tokens,
  shellSheet,
  buttonsSheet,
  ...Object.values(kViewSheets),
  legendSheet,
  layoutSheet,
  lowScreenSheet,
  glassSheet,
].join('\n');
