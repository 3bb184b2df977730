// One run in a worker of its own, in the browser.
import { execute } from './execute.mjs';

addEventListener('message', async ({ data: { wasm, ...job } }) => {
  try {
    const bytes = await fetch(wasm).then((answer) => answer.arrayBuffer());
    postMessage({ figures: await execute(bytes, job) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
});
