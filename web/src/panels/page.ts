// The page's index of panels, in the order of their tabs. The worker's index is worker.ts.

import { panel as chunk } from './chunk/view.ts';
import { panel as compare } from './compare/view.ts';
import { panel as experiments } from './experiments/view.ts';
import { panel as handles } from './handles/view.ts';
import { panel as heaps } from './heaps/view.ts';
import { panel as learn } from './learn/view.ts';
import { panel as lists } from './lists/view.ts';
import { panel as operate } from './operate/view.ts';
import type { Panel } from './panel.ts';
import { panel as pins } from './pins/view.ts';
import { panel as programs } from './programs/view.ts';
import { panel as script } from './script/view.ts';
import { panel as sites } from './sites/view.ts';
import { panel as sizes } from './sizes/view.ts';

export const kPanels: readonly Panel[] = [
  lists,
  heaps,
  sizes,
  compare,
  sites,
  handles,
  pins,
  operate,
  script,
  programs,
  learn,
  experiments,
  chunk,
];

/** Of a page that looks at one trace and runs nothing. */
export const kViewerPanels: readonly Panel[] = kPanels.filter(({ runs }) => runs !== true);
