// The glass as a document of its own (tools/build_package.mjs): the page with the engine of traces. What it shows is the program that
// answers to the id in its address.

import { createPage } from '../app/page.ts';
import { createStore, kInitialState } from '../app/state.ts';
import { readHash } from '../app/url.ts';

const store = createStore({ ...kInitialState, ...readHash(location.hash) });
await createPage(document.body, store, { tabs: ['lists', 'heaps', 'sizes', 'compare', 'sites', 'chunk'] }).start();
