// A worker whose work another one does that it makes.
const worker = new Worker('plain_worker.js', { name: 'inner' });
worker.onmessage = ({ data }) => postMessage(data);
