// Light, dark or the visitor's forced colours: the choice made here, else the system's. Writes the palette to :root, or to the
// element that the page is in, and gives the canvas views, which cannot read CSS, the theme to draw with.

import { cssVariables, forcedTheme, kThemes, type Theme } from '../dom/palette.ts';
import type { Theme as ThemeChoice } from '../moment/state.ts';
import type { Surroundings } from './surroundings.ts';

const kStorageKey = 'heapglass.theme';

export function readStoredTheme(): ThemeChoice {
  try {
    const stored = localStorage.getItem(kStorageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'auto';
  } catch {
    return 'auto'; // storage refused: the choice lasts as long as the page
  }
}

function storeTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'auto') localStorage.removeItem(kStorageKey);
    else localStorage.setItem(kStorageKey, choice);
  } catch {
    // As above.
  }
}

/** What a system colour's name stands for at the moment, as rgb() text. */
export function resolveColour(keyword: string, beside: ParentNode = document.body): string {
  const probe = document.createElement('i');
  probe.style.color = keyword;
  beside.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

export function createThemeSwitch({ root, isGuest }: Surroundings, changed: (theme: Theme) => void) {
  const light = matchMedia('(prefers-color-scheme: light)');
  const forced = matchMedia('(forced-colors: active)');
  const more = matchMedia('(prefers-contrast: more)');
  const sheet = document.createElement('style');
  (root instanceof Document ? root.head : root).append(sheet);
  let choice: ThemeChoice = 'auto';

  function apply(): void {
    const plain = choice === 'auto' ? (light.matches ? 'light' : 'dark') : choice;
    const name = forced.matches ? 'forced' : more.matches ? (`${plain}-contrast` as const) : plain;
    const scheme = choice === 'auto' ? 'light dark' : choice;
    const where = isGuest ? ':host' : ':root';
    sheet.textContent = `${where} { ${cssVariables(name)} color-scheme: ${scheme}; background: var(--hg-bg); }`;
    if (!isGuest) document.documentElement.dataset['theme'] = name;
    changed(
      name === 'forced'
        ? forcedTheme((keyword) => resolveColour(keyword, isGuest ? root : document.body))
        : kThemes[name],
    );
  }
  const settings = [light, forced, more];
  for (const setting of settings) setting.addEventListener('change', apply);

  return {
    set(next: ThemeChoice): void {
      choice = next;
      if (!isGuest) storeTheme(next); // guest.2
      apply();
    },
    dispose(): void {
      for (const setting of settings) setting.removeEventListener('change', apply);
      sheet.remove();
    },
  };
}
