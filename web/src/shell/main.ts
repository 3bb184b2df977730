// The entry: state from the address and what was stored, the page on it, and the address kept in step with the state.

import '../base/tokens.css'; // before the theme's colours, which overrule it
import './shell.css'; // first of the views': it names the layers, before the panels' sheets use them
import './fonts.css';
import { keepAddress, takeSource } from '../moment/address.ts';
import { isNew } from '../moment/new_visitor.ts';
import { createStore, kInitialState } from '../moment/state.ts';
import { readHash } from '../moment/url.ts';
import { kPanels } from '../panels/page.ts';
import { fetchFirstProgram } from './first_program.ts';
import { createPage } from './page.ts';
import { readStoredTheme } from './theme.ts';

takeSource();
const welcome = isNew(location.hash);
const unread: string[] = [];
const { open, ...moment } = readHash(location.hash, kPanels, unread);
const store = createStore({
  ...kInitialState,
  theme: readStoredTheme(),
  welcome,
  ...moment,
});
const { source } = store.get();
if (source.kind === 'scenario' && source.id === '') fetchFirstProgram();
const page = createPage(document.body, store, { panels: kPanels, glass: './glass.html' });

keepAddress(store, page, kPanels);

await page.start(open, unread);
