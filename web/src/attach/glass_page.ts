// The glass as a document of its own (tools/bundle_glass.mjs): the page with the engine of traces. What it shows is the program
// that answers to the id in its address, or the trace that it brings along.

import '../base/tokens.css'; // before the theme's colours, which overrule it
import '../shell/shell.css'; // first of the views': it names the layers, before the panels' sheets use them
import { keepAddress } from '../moment/address.ts';
import { heldTrace } from '../moment/held_trace.ts';
import { createStore, kInitialState } from '../moment/state.ts';
import { readHash } from '../moment/url.ts';
import { kViewerPanels } from '../panels/page.ts';
import { createPage } from '../shell/page.ts';

const held = await heldTrace();
const source = held === undefined ? {} : { source: { kind: 'trace', name: held.name } as const };
const unread: string[] = [];
const { open, ...moment } = readHash(
  location.hash === '' ? (held?.moment ?? '') : location.hash,
  kViewerPanels,
  unread,
);
const store = createStore({ ...kInitialState, ...moment, ...source });
const page = createPage(document.body, store, {
  panels: kViewerPanels,
  first: held === undefined ? undefined : { kind: 'trace', ...held },
});
if (held !== undefined) keepAddress(store, page, kViewerPanels);
await page.start(open, unread);
