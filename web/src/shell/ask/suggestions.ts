// What can be chosen by its name while one types: panels, actions, chapters, stories. A list below the field, as ARIA's pattern of a
// combobox with a list has it.

import { make } from '../../dom/dom.ts';

export interface Suggestion {
  readonly name: string;
  /** What kind it is, or what it does. */
  readonly hint: string;
  run(): void;
}

const kMost = 8;
const kFewestLetters = 2;
let made = 0;

export function createSuggestions(
  field: HTMLInputElement,
  all: () => readonly Suggestion[],
  take: (suggestion: Suggestion) => void,
) {
  const id = `hg-suggestions-${made++}`;
  const element = make('ul', {
    class: 'hg-suggestions',
    id,
    role: 'listbox',
    'aria-label': 'Suggestions',
    hidden: true,
  });
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-controls': id,
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
  }))
    field.setAttribute(name, value);
  let shown: readonly Suggestion[] = [];
  let chosen = -1;

  function choose(index: number): void {
    chosen = index;
    for (const [nth, row] of [...element.children].entries()) row.setAttribute('aria-selected', String(nth === chosen));
    if (chosen < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', `${id}-${chosen}`);
  }

  function close(): void {
    shown = [];
    show();
  }

  function show(): void {
    element.replaceChildren(
      ...shown.map(({ name, hint }, nth) =>
        make(
          'li',
          { role: 'option', id: `${id}-${nth}`, 'aria-selected': 'false' },
          make('span', {}, name),
          make('span', { class: 'hg-dim' }, hint),
        ),
      ),
    );
    element.hidden = shown.length === 0;
    field.setAttribute('aria-expanded', String(shown.length > 0));
    choose(-1);
  }

  function takeNth(nth: number): boolean {
    const suggestion = shown[nth];
    if (suggestion === undefined) return false;
    close();
    take(suggestion);
    return true;
  }

  element.addEventListener('pointerdown', (event) => {
    event.preventDefault(); // the field keeps the focus
    const row = event.target instanceof Element ? event.target.closest('li') : null;
    if (row !== null) takeNth([...element.children].indexOf(row));
  });
  field.addEventListener('blur', close);

  return {
    element,
    close,
    /** What is written has changed. */
    update(): void {
      const words = field.value.trim().toLowerCase();
      shown = words.length < kFewestLetters ? [] : matching(all(), words).slice(0, kMost);
      show();
    },
    /** True when the key was the list's. */
    press(key: string): boolean {
      if (shown.length === 0 || (key !== 'ArrowDown' && key !== 'ArrowUp')) return false;
      const rows = shown.length + 1; // the field itself is one
      choose(((chosen + 1 + (key === 'ArrowDown' ? 1 : -1) + rows) % rows) - 1);
      return true;
    },
    /** True when one was chosen. */
    takeChosen: () => takeNth(chosen),
    /** The name of the first. */
    first: (): string | undefined => shown[0]?.name,
    takeFirst: () => takeNth(0),
  };
}

/** Names that begin so before those with a word that does, before those that hold it. */
function matching(all: readonly Suggestion[], words: string): readonly Suggestion[] {
  const rank = ({ name, hint }: Suggestion): number => {
    const text = name.toLowerCase();
    if (text.startsWith(words)) return 0;
    if (text.includes(` ${words}`)) return 1;
    if (text.includes(words)) return 2;
    return hint.toLowerCase().includes(words) ? 3 : 4;
  };
  return all
    .map((suggestion) => ({ suggestion, at: rank(suggestion) }))
    .filter(({ at }) => at < 4)
    .sort((one, other) => one.at - other.at)
    .map(({ suggestion }) => suggestion);
}
