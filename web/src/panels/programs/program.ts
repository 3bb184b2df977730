// A program to type at: SQL for SQLite, a script for Lua or QuickJS. A box for the text, examples, and what the program printed.
//
//   V1  Ctrl+Enter (Cmd+Enter) runs the text; while one runs the button stops it.
//   V2  An example is put into the box and run: it can be changed and run again.

import './program.css';
import { formatCount } from '../../base/format.ts';
import { labelled, make, setText } from '../../dom/dom.ts';
import type { Printed, PrintedPart, ScenarioInfo } from '../../protocol/messages.ts';

export interface ProgramCallbacks {
  /** Opens the program of a scenario afresh, or the word index ('words'). */
  open(id: string): void;
  run(text: string): void;
  stop(): void;
}

/** What the panel shows. */
export interface ProgramState {
  /** Those that can be chosen. */
  readonly programs: readonly ScenarioInfo[];
  /** The one that is open; undefined: none. */
  readonly open: ScenarioInfo | undefined;
  readonly running: boolean;
  /** The word index is shown below. */
  readonly words: boolean;
}

export function createProgram(parent: Element, callbacks: ProgramCallbacks) {
  let shown: ScenarioInfo | undefined;
  let listed: readonly ScenarioInfo[] | undefined;

  const { element, choices, missing, about, box, language, run, examples, output, chosen } = makeProgramParts();
  parent.append(element);
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    start();
  });
  run.addEventListener('click', () => (running ? callbacks.stop() : start()));
  examples.addEventListener('change', () => {
    const chosen = shown?.program?.examples[Number(examples.value)];
    examples.value = '';
    if (chosen === undefined) return;
    box.value = chosen.text;
    start();
  });
  let running = false;

  function start(): void {
    if (running || shown === undefined) return;
    output.replaceChildren();
    callbacks.run(box.value);
  }

  function list(programs: readonly ScenarioInfo[]): void {
    listed = programs;
    const choice = (id: string, name: string, why: string | undefined) => {
      const button = make(
        'button',
        { type: 'button', class: 'hg-segment', 'data-program': id, disabled: why !== undefined },
        name,
      );
      button.addEventListener('click', () => callbacks.open(id));
      return button;
    };
    choices.replaceChildren(
      ...programs.map((info) => choice(info.id, nameOf(info), info.unavailable)),
      choice('words', 'Word index', undefined),
    );
    missing.replaceChildren(
      ...programs
        .filter(({ unavailable }) => unavailable !== undefined)
        .map((info) => make('p', { class: 'hg-note' }, `${nameOf(info)} is not here: ${info.unavailable}`)),
    );
  }

  function open(info: ScenarioInfo | undefined): void {
    shown = info;
    chosen.hidden = info === undefined;
    output.replaceChildren();
    if (info?.program === undefined) return;
    setText(about, info.program.about);
    setText(language, info.program.language);
    // A chapter is one of the examples, in their order (watched_programs.ts, W1): it has run when this is read.
    const titles = info.program.examples.map(({ title }, at) => make('option', { value: at }, title));
    const ran = info.chapters.length;
    box.value = info.program.examples[ran]?.text ?? '';
    examples.replaceChildren(
      make('option', { value: '' }, 'choose …'),
      make('optgroup', { label: 'to run now' }, ...titles.slice(ran)),
      make('optgroup', { label: 'has run already' }, ...titles.slice(0, ran)),
    );
  }

  return {
    element,
    update(state: ProgramState): void {
      if (state.programs !== listed) list(state.programs);
      if (state.open !== shown) open(state.open);
      running = state.running;
      setText(run, running ? 'Stop' : 'Run');
      const pressed = state.open?.id ?? (state.words ? 'words' : '');
      for (const button of choices.children) {
        button.setAttribute('aria-pressed', String(button.getAttribute('data-program') === pressed));
      }
    },
    /** What the program printed. */
    show({ parts, more }: Printed): void {
      output.replaceChildren(
        ...parts.map(partElement),
        ...(more > 0 ? [make('p', { class: 'hg-note' }, `… and ${formatCount(more)} more`)] : []),
        ...(parts.length === 0 ? [make('p', { class: 'hg-note' }, 'Done; nothing was printed.')] : []),
      );
    },
    dispose(): void {
      element.remove();
    },
  };
}

function makeProgramParts() {
  const choices = make('div', { class: 'hg-segments hg-program__choices', role: 'group', 'aria-label': 'Program' });
  const missing = make('div', { class: 'hg-program__missing' });
  const about = make('p', { class: 'hg-note' });
  const box = make('textarea', {
    class: 'hg-input hg-program__text',
    rows: 7,
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
  });
  const language = make('span', { class: 'hg-field__name' });
  const field = make('label', { class: 'hg-field' }, language, box);
  const run = make('button', { type: 'button', class: 'hg-button hg-program__run' }, 'Run');
  const examples = make('select', { class: 'hg-input' });
  const output = make('div', { class: 'hg-program__output', role: 'log', 'aria-label': 'Output', tabindex: 0 });
  const chosen = make(
    'div',
    { class: 'hg-program__chosen', hidden: true },
    about,
    field,
    make(
      'div',
      { class: 'hg-program__row' },
      run,
      make('span', { class: 'hg-dim hg-program__key' }, 'Ctrl+Enter'),
      labelled('example', examples),
    ),
    output,
  );
  const heading = make('h2', { class: 'hg-heading' }, 'A program, watched');
  const element = make('section', { class: 'hg-program' }, heading, choices, missing, chosen);
  return { element, choices, missing, about, box, language, run, examples, output, chosen };
}

/** The title up to its colon. */
const nameOf = (info: ScenarioInfo): string => (info.title.split(':')[0] ?? info.title).replace(/^JavaScript in /, '');

function partElement(part: PrintedPart): HTMLElement {
  if (part.kind !== 'table') {
    const error = part.kind === 'error' ? ' hg-program__line--error' : '';
    return make('pre', { class: `hg-program__line${error}` }, part.text);
  }
  const head = part.columns.map((name) => make('th', { scope: 'col' }, name));
  const rows = part.rows.map((row) =>
    make(
      'tr',
      {},
      ...row.map((cell) => (cell === undefined ? make('td', { class: 'hg-dim' }, 'NULL') : make('td', {}, cell))),
    ),
  );
  return make(
    'table',
    { class: 'hg-program__table' },
    make('thead', {}, make('tr', {}, ...head)),
    make('tbody', {}, ...rows),
  );
}
