const worker = new Worker('nested_worker.js', { name: 'outer' });
worker.onmessage = ({ data }) => {
  globalThis.found = data;
};
