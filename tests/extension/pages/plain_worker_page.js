const worker = new Worker('plain_worker.js');
worker.onmessage = ({ data }) => {
  globalThis.found = data;
};
