// npm run check:modules:twenty: finished modules which nothing in this project named before 29 November 2026, with a piece of each one's own work.

import { kTwentyElsewhere } from './twenty_elsewhere.mjs';
import { kTwentyInC } from './twenty_in_c.mjs';
import { kTwentyLarge } from './twenty_large.mjs';

/** @type {readonly import('./stranger_programs.mjs').Stranger[]} */
export const kTwenty = [...kTwentyInC, ...kTwentyLarge, ...kTwentyElsewhere];
