// The page's module runs in a worker, which compiles it from a file of its own folder.

const type = location.search.slice(1);
const worker = new Worker(type === 'module' ? './working_module.js' : './working.js', { type });
worker.onmessage = ({ data }) => {
  document.title = data;
};
globalThis.play = () => worker.postMessage('play');
