// The page's module runs in a worker, which compiles it from a file beside its own.

const type = location.search.slice(1);
const worker = new Worker('./working.js', { type });
globalThis.worker = worker;
worker.onmessage = ({ data }) => {
  document.title = data;
};
globalThis.play = () => worker.postMessage('play');
