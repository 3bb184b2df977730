// A page with a module of its own, which knows nothing of heapglass: a level loads a hundred blocks, and forgets ten when it is leaky.
// One that hangs never ends.

const { instance } = await WebAssembly.instantiateStreaming(fetch('app.wasm'));
const { malloc, free } = instance.exports;
const settings = malloc(5000);

document.querySelector('#play').addEventListener('click', () => {
  const blocks = Array.from({ length: 100 }, () => malloc(64));
  const kept = location.search === '?leaky' ? 10 : 0;
  for (const block of blocks.slice(kept)) free(block);
  document.querySelector('output').textContent = `settings at ${settings}, a level was played`;
});

if (location.search === '?hangs')
  document.querySelector('#play').addEventListener('click', () => {
    for (;;);
  });
