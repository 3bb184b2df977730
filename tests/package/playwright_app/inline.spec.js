import { readFileSync } from 'node:fs';
import { expect, test } from 'heapglass/playwright';

const kBytes = 'const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));';
const literal = `bytesOf('${readFileSync('padded.wasm').toString('base64')}')`;
const kPlay = `for (let nth = 0; nth < 9; ++nth) instance.exports.malloc(16);
  document.title = 'played';`;

const compiled = `<script>${kBytes} WebAssembly.instantiate(${literal}).then(({ instance }) => { ${kPlay} });</script>`;
const atOnce = `<script>${kBytes} const instance = new WebAssembly.Instance(new WebAssembly.Module(${literal})); ${kPlay}</script>`;

/** Of a page without a server. */
const addressOf = (text) => `data:text/html,${encodeURIComponent(text)}`;

async function holds(page, heap) {
  await expect(page).toHaveTitle('played');
  await expect(heap).toHold('allocations=9 leaks=9');
  expect(heap.problems()).toEqual([]);
}

test('in a script', async ({ page, heap }) => {
  await page.goto(addressOf(compiled));
  await holds(page, heap);
});

test('in a script, compiled at once', async ({ page, heap }) => {
  await page.goto(addressOf(atOnce));
  await holds(page, heap);
});

test('in a script of a server, compiled at once', async ({ page, heap }) => {
  await page.goto(`${process.env.ADDRESS}/empty.html`);
  await page.setContent(atOnce);
  await holds(page, heap);
});
