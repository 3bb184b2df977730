// Light, dark or the visitor's forced colours: the choice made here, else the system's. Writes the palette to :root and
// gives the canvas views, which cannot read CSS, the theme to draw with.

import { cssVariables, forcedTheme, kThemes, type Theme } from '../render/palette.ts';
import type { Theme as ThemeChoice } from './state.ts';

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

/** What a system colour is at the moment, as rgb() text. */
function resolveColour(keyword: string): string {
  const probe = document.createElement('i');
  probe.style.color = keyword;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

export function createThemeSwitch(changed: (theme: Theme) => void) {
  const light = matchMedia('(prefers-color-scheme: light)');
  const forced = matchMedia('(forced-colors: active)');
  const more = matchMedia('(prefers-contrast: more)');
  const sheet = document.createElement('style');
  document.head.append(sheet);
  let choice: ThemeChoice = 'auto';

  function apply(): void {
    const plain = choice === 'auto' ? (light.matches ? 'light' : 'dark') : choice;
    const name = forced.matches ? 'forced' : more.matches ? (`${plain}-contrast` as const) : plain;
    const scheme = choice === 'auto' ? 'light dark' : choice;
    sheet.textContent = `:root { ${cssVariables(name)} color-scheme: ${scheme}; background: var(--hg-bg); }`;
    document.documentElement.dataset['theme'] = name;
    changed(name === 'forced' ? forcedTheme(resolveColour) : kThemes[name]);
  }
  const settings = [light, forced, more];
  for (const setting of settings) setting.addEventListener('change', apply);

  return {
    set(next: ThemeChoice): void {
      choice = next;
      storeTheme(next);
      apply();
    },
    destroy(): void {
      for (const setting of settings) setting.removeEventListener('change', apply);
      sheet.remove();
    },
  };
}
