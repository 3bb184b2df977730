// Under Node: node counters_main.mjs app.wasm [collect]

import './cleanups.js';
import { readFileSync } from 'node:fs';
import * as glue from '../counters/counters.js';
import { derive, leakCounters, leakLabels } from './counters_app.js';

glue.initSync({ module: readFileSync(process.argv[2]) });
if (process.argv[3] === 'collect') {
  const counters = leakCounters(glue).length;
  globalThis.kept = leakLabels(glue);
  await globalThis.collected(counters, () => new Promise((resolve) => setImmediate(resolve)));
} else {
  globalThis.kept = [leakCounters(glue), leakLabels(glue), derive(glue)];
}
