// The same game in a worker, bundled with its glue.

import init, { Counter } from './counters.js';

const loaded = init();

addEventListener('message', async ({ data }) => {
  await loaded;
  const made = [];
  for (let i = 0; i < 100; ++i) made.push(new Counter(i)); // counter
  const kept = made.slice(0, data === '?leaky' ? 10 : 0);
  for (const each of made.slice(kept.length)) each.free();
  globalThis.kept = kept;
  postMessage('a level was played');
});
await loaded;
new Counter(0).free();
