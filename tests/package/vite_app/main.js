import { createHeap } from 'heapglass';
import { encodePictures } from './picture.js';

const answerOf = (worker) => new Promise((resolve) => worker.addEventListener('message', ({ data }) => resolve(data)));

const heap = await createHeap();
const block = heap.allocate(100);
const unnamed = await WebAssembly.instantiateStreaming(fetch('/unnamed.wasm'));
const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'pictures' });
globalThis.found = {
  here: await encodePictures(),
  inWorker: await answerOf(worker),
  inPlainWorker: await answerOf(new Worker('/plain_worker.js')),
  heap: block > 0,
  unnamed: Object.keys(unnamed.instance.exports),
};
