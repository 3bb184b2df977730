// The entry: state from the address and what was stored, the page on it, and the address kept in step with the state.

import { createPage } from './page.ts';
import { createStore, kInitialState } from './state.ts';
import { readStoredTheme } from './theme.ts';
import { readHash, writeHash } from './url.ts';

/** Browsers refuse addresses written too often; the last one is written this long after a change. */
const kWriteAfterMs = 250;

const store = createStore({ ...kInitialState, theme: readStoredTheme(), ...readHash(location.hash) });
const page = createPage(document.body, store);

let waiting = false;
store.subscribe(() => {
  if (waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    const hash = writeHash(store.get());
    if (hash !== location.hash)
      history.replaceState(undefined, '', hash === '' ? location.pathname + location.search : hash);
  }, kWriteAfterMs);
});

// An address typed or followed while the page is open leads to its moment: the event's, for a page that plays may have written its own
// address since.
addEventListener('hashchange', ({ newURL }) => page.goTo(readHash(new URL(newURL).hash)));

await page.start();
