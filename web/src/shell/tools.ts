// The small buttons at the end of the top bar: go to, theme and help.

import { iconButton, make } from '../dom/dom.ts';
import type { Store, Theme } from '../moment/state.ts';
import { createHelp } from './help.ts';

const kNext: Readonly<Record<Theme, Theme>> = { auto: 'light', light: 'dark', dark: 'auto' };
const kNames: Readonly<Record<Theme, string>> = {
  auto: 'Theme: as the system',
  light: 'Theme: light',
  dark: 'Theme: dark',
};
const kPaths: Readonly<Record<Theme, string>> = {
  auto: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 1.4v9.2a4.6 4.6 0 0 1 0-9.2z',
  light:
    'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM7.3 1h1.4v2.4H7.3zM7.3 12.6h1.4V15H7.3zM1 7.3h2.4v1.4H1zM12.6 7.3H15v1.4h-2.4zM3 4l1-1 1.7 1.7-1 1zM10.3 11.3l1-1L13 12l-1 1zM4 13l-1-1 1.7-1.7 1 1zM11.3 5.7l-1-1L12 3l1 1z',
  dark: 'M6.2 2.2A6 6 0 1 0 13.8 9.8 5 5 0 0 1 6.2 2.2z',
};
const kHelpPath =
  'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zm0 1.4a5.1 5.1 0 1 1 0 10.2A5.1 5.1 0 0 1 8 2.9zM7.3 10.5h1.5V12H7.3zM8 4.2c1.4 0 2.4.8 2.4 2.1 0 1.6-1.7 1.7-1.7 3.2H7.4c0-2 1.6-2.1 1.6-3.1 0-.5-.4-.9-1-.9-.7 0-1.1.4-1.1 1.1H5.5C5.5 5.1 6.5 4.2 8 4.2z';

const kFindPath =
  'M6.8 2a4.8 4.8 0 1 0 2.9 8.6l3.2 3.2 1-1-3.2-3.2A4.8 4.8 0 0 0 6.8 2zm0 1.5a3.3 3.3 0 1 1 0 6.6 3.3 3.3 0 0 1 0-6.6z';

export function createTools(parent: Element, page: Element, store: Store, goTo: () => void) {
  const theme = iconButton(kPaths.auto, kNames.auto, () => store.set({ theme: kNext[store.get().theme] }));
  const dialog = createHelp(page, (shortcuts) => store.set({ shortcuts }));
  const help = () => dialog.open(store.get().shortcuts);
  const element = make(
    'div',
    { class: 'hg-top__buttons' },
    iconButton(kFindPath, 'Ask, or go to (g)', goTo),
    theme,
    iconButton(kHelpPath, 'Help and keys (?)', help),
  );
  parent.append(element);

  const show = () => {
    const choice = store.get().theme;
    theme.title = kNames[choice];
    theme.setAttribute('aria-label', kNames[choice]);
    theme.querySelector('path')?.setAttribute('d', kPaths[choice]);
  };
  store.subscribe(show);
  show();
  return { element, help };
}
