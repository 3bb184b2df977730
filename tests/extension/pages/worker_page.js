const worker = new Worker('./png_worker.js', { type: 'module', name: 'encoder' });
worker.onmessage = ({ data }) => {
  globalThis.found = data;
};
worker.postMessage('encode');
