// The page's module runs in a worker, which compiles it from a file beside its own.

const type = location.search.slice(1);
const worker = (globalThis.worker = new Worker('./working.js', { type }));
worker.onmessage = ({ data }) => {
  document.title = data;
};
globalThis.play = () => worker.postMessage('play');
