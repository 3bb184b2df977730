// An app with objects of Rust, bundled with its glue into one script: a level makes a hundred counters and labels, and forgets ten when it
// is leaky.

import init, { Counter, label_of } from './counters.js';

await init();

function playLevel(isLeaky) {
  const made = [];
  for (let i = 0; i < 100; ++i) {
    made.push(new Counter(i)); // counter
    label_of('a label').free();
  }
  const kept = made.slice(0, isLeaky ? 10 : 0);
  for (const each of made.slice(kept.length)) each.free();
  globalThis.kept = kept; // what nothing refers to the engine may collect, and then its memory is freed
}

document.querySelector('#play')?.addEventListener('click', () => {
  playLevel(location.search === '?leaky');
  const output = document.querySelector('output');
  if (output !== null) output.textContent = 'a level was played';
});
new Counter(0).free();
