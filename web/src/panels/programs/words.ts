// The word index: a real program on the heap. Give it a text (dropped, pasted, a file, or by default the project's own
// documentation), watch its heap while it indexes, then ask it: how often a word comes, and where.

import './words.css';
import { formatBytes, formatCount } from '../../base/format.ts';
import { labelled, make, setText } from '../../dom/dom.ts';
import type { WordRow } from '../../protocol/messages.ts';
import { showAnswer } from './word_answer.ts';

export interface WordsCallbacks {
  run(name: string, text: Uint8Array<ArrayBuffer>): void;
  top(count: number): Promise<{ readonly total: number; readonly rows: readonly WordRow[] }>;
  find(word: string): Promise<readonly WordRow[]>;
}

const kTop = 12;

export function createWords(
  parent: Element,
  documentation: () => Promise<Uint8Array<ArrayBuffer>>,
  callbacks: WordsCallbacks,
) {
  let text: Uint8Array<ArrayBuffer> | undefined;

  const file = makeFile((name, bytes) => start(name, bytes));
  const pasted = make('textarea', {
    class: 'hg-input hg-words__text',
    rows: 4,
    spellcheck: 'false',
    placeholder: 'Paste a text, or drop a file anywhere',
  });
  const pasteButton = button('Index this text', () => {
    start('pasted text', new TextEncoder().encode(pasted.value));
  });
  const state = make('p', { class: 'hg-note', 'aria-live': 'polite' });

  const { results, query, show } = createResults(callbacks.find, () => text);
  const element = make(
    'section',
    { class: 'hg-words' },
    make('h2', { class: 'hg-heading' }, 'Word index'),
    make(
      'p',
      { class: 'hg-note' },
      'A C++ program on this heap: the text in arrays that grow by commands, an entry a pool node, positions by burst.',
    ),
    make(
      'div',
      { class: 'hg-words__choices' },
      button('This documentation', async () => start('the documentation', await documentation())),
      button('A file…', () => file.click()),
      file,
    ),
    state,
    results,
    labelled('or a text', pasted),
    pasteButton,
  );
  parent.append(element);

  function start(name: string, bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.length === 0) {
      setText(state, 'The text is empty.');
      return;
    }
    text = bytes.slice(); // the one given to the engine is transferred; this one shows where a word stands
    results.hidden = true;
    setText(state, `Indexing ${name}, ${formatBytes(bytes.length)} …`);
    callbacks.run(name, bytes);
  }

  return {
    element,
    /** Indexes a text that came from elsewhere on the page. */
    start,
    /** The run ended well: ask for the answers. */
    async finished(): Promise<void> {
      const { total: words, rows } = await callbacks.top(kTop);
      setText(state, '');
      show(words, rows);
      results.hidden = false;
    },
    /** Another source runs: the program and its answers are gone. */
    forget(): void {
      results.hidden = true;
      setText(state, '');
    },
    failed(message: string): void {
      setText(state, message);
    },
    focusSearch(): void {
      (results.hidden ? pasted : query).focus();
    },
    dispose(): void {
      element.remove();
    },
  };
}

/** What the index answers: where a word stands, and which are the most frequent. */
function createResults(find: WordsCallbacks['find'], text: () => Uint8Array | undefined) {
  const query = make('input', {
    type: 'search',
    class: 'hg-input',
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
  });
  const answer = make('div', { class: 'hg-words__answer', 'aria-live': 'polite' });
  let asked = 0;
  query.addEventListener('input', async () => {
    const mine = ++asked;
    const word = query.value.trim();
    const rows = word === '' ? [] : await find(word).catch(() => []);
    if (mine === asked) showAnswer(answer, word, rows[0], text());
  });

  const tableBody = make('tbody');
  const total = make('span', { class: 'hg-heading__extra' });
  const results = make(
    'div',
    { class: 'hg-words__results', hidden: true },
    labelled('find a word', query),
    answer,
    make('h2', { class: 'hg-heading' }, 'Most frequent', total),
    make(
      'table',
      { class: 'hg-words__table' },
      make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'word'), make('th', { scope: 'col' }, 'count'))),
      tableBody,
    ),
  );
  return {
    results,
    query,
    show(words: number, rows: readonly WordRow[]): void {
      setText(total, `${formatCount(words)} words`);
      tableBody.replaceChildren(
        ...rows.map((row) => {
          const choose = make('button', { type: 'button', class: 'hg-link' }, row.word);
          choose.addEventListener('click', () => {
            query.value = row.word;
            query.dispatchEvent(new Event('input'));
          });
          return make('tr', {}, make('td', {}, choose), make('td', {}, formatCount(row.count)));
        }),
      );
    },
  };
}

function makeFile(chosen: (name: string, bytes: Uint8Array<ArrayBuffer>) => void): HTMLInputElement {
  const file = make('input', {
    type: 'file',
    class: 'hg-hidden',
    accept: 'text/*,.md,.txt,.csv,.json',
    tabindex: -1,
    'aria-hidden': 'true',
  });
  file.addEventListener('change', async () => {
    const first = file.files?.[0];
    file.value = '';
    if (first !== undefined) chosen(first.name, new Uint8Array(await first.arrayBuffer()));
  });
  return file;
}

function button(name: string, press: () => void): HTMLButtonElement {
  const element = make('button', { type: 'button', class: 'hg-button' }, name);
  element.addEventListener('click', press);
  return element;
}
