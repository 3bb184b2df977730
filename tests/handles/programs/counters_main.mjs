// Under Node: node counters_main.mjs app.wasm [collect]

import { readFileSync } from 'node:fs';
import * as glue from '../counters/counters.js';
import { derive, leakCounters, leakLabels } from './counters_app.js';

glue.initSync({ module: readFileSync(process.argv[2]) });
if (process.argv[3] === 'collect') {
  const isGone = lose(() => leakCounters(glue));
  globalThis.kept = leakLabels(glue);
  for (let gone = false; !gone; ) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
    gone = isGone();
  }
} else {
  globalThis.kept = [leakCounters(glue), leakLabels(glue), derive(glue)];
}

/** Whether the engine has collected all objects that `make` gives, and run the finalizers that were there before. */
function lose(make) {
  let left = 0;
  const registry = new FinalizationRegistry(() => --left);
  globalThis.registry = registry; // else it is collected as well
  for (const object of make()) {
    left += 1;
    registry.register(object, left);
  }
  return () => left === 0;
}
