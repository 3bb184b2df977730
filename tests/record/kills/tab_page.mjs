// The program of a tab (tab.mjs): ?module=instrumented|linked&seed=n&after=ms

import { work } from './pace.mjs';

const query = new URLSearchParams(location.search);
const { takeNote, takeRecords } = globalThis; // the killer's

async function instrumented() {
  const { instance } = await WebAssembly.instantiateStreaming(fetch('plain.wasm'));
  return instance.exports;
}

/** What it records leaves the page as a listener gets it. */
async function linked() {
  const { _malloc, _free, heapglass } = await globalThis.Module();
  heapglass.subscribe(({ records }) => takeRecords(Array.from(records)), { past: true });
  return { malloc: _malloc, free: _free };
}

await work(await { instrumented, linked }[query.get('module')](), {
  seed: Number(query.get('seed')),
  after: Number(query.get('after')),
  note: (calls, now) => takeNote([calls, now, now]),
});
