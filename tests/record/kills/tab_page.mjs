// The program of a tab (tab.mjs): ?module=instrumented|linked&seed=n&after=ms

import { work } from './pace.mjs';

const query = new URLSearchParams(location.search);
const kSpread = 32 * 1024; // arguments of one call
const { takeNote, takeRecords } = globalThis; // the killer's

async function instrumented() {
  const { instance } = await WebAssembly.instantiateStreaming(fetch('plain.wasm'));
  return instance.exports;
}

/** What it records leaves the page as a listener gets it. */
async function linked() {
  const { _malloc, _free, heapglass } = await globalThis.Module();
  heapglass.subscribe(({ records }) => takeRecords(base64Of(records)), { past: true });
  return { malloc: _malloc, free: _free };
}

function base64Of({ buffer, byteOffset, byteLength }) {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let text = '';
  for (let at = 0; at < bytes.length; at += kSpread) text += String.fromCharCode(...bytes.subarray(at, at + kSpread));
  return btoa(text);
}

await work(await { instrumented, linked }[query.get('module')](), {
  seed: Number(query.get('seed')),
  after: Number(query.get('after')),
  note: (calls, now) => takeNote([calls, now, now]),
});
