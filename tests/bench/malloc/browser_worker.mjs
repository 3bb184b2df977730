// One run in a worker of its own, in the browser.
import { execute } from './execute.mjs';

const fetched = (path) => fetch(path).then((answer) => answer.arrayBuffer());

addEventListener('message', async ({ data: { wasm, stream, ...job } }) => {
  try {
    const operations = stream === undefined ? undefined : new Uint8Array(await fetched(stream));
    postMessage({ figures: await execute(await fetched(wasm), job, operations) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
});
