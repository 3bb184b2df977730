// A script to write: the editor, examples, what it printed, and where it failed.
//
//   ┌ Script ───────────────────────────┐
//   │ 1  const a = heap.allocate(100);  │   loaded when the panel is first shown
//   │ 2  heap.deallocate(a);                  │
//   ├───────────────────────────────────┤
//   │ Run  Rewind  Copy link  [example] │   while a script runs, Run is Stop
//   │ printed lines, and the error      │
//   └───────────────────────────────────┘
//
//   V1  A text that comes from elsewhere (a link, an example) is put into the editor and not run.

import './script.css';
import { labelled, make, setText } from '../../dom/dom.ts';
import type { ScriptError } from '../../protocol/scripts.ts';
import { kScriptNames } from './completions.ts';
import type { Editor } from './editor.ts';
import { kExamples } from './examples.ts';

export interface ScriptCallbacks {
  run(text: string): void;
  stop(): void;
  rewind(): void;
  copyLink(text: string): Promise<void>;
}

export function createScript(parent: Element, callbacks: ScriptCallbacks) {
  let editor: Editor | undefined;
  let loading = false; // or it has failed: the visitor says when it is tried again
  let running = false;
  let wanted = kExamples[0]?.text ?? ''; // until the editor is there

  const place = make('div', { class: 'hg-script__editor' }, make('p', { class: 'hg-note' }, 'The editor is loading …'));
  const text = () => editor?.text() ?? wanted;
  const start = () => {
    if (running) callbacks.stop();
    else callbacks.run(text());
  };
  const run = button('Run', start);
  const rewind = button('Rewind', callbacks.rewind);
  rewind.title = 'To the first event; then play or step through it';
  const said = make('p', { class: 'hg-note hg-script__said', role: 'status' });
  const copy = button('Copy link', async () => {
    await callbacks.copyLink(text());
    setText(said, 'The link is copied. Who opens it sees the script and can run it.');
  });
  const examples = makeExamples((text) => write(text, ''));
  const output = make('div', { class: 'hg-script__output', role: 'log', 'aria-label': 'Printed', tabindex: 0 });
  const problem = make('p', { class: 'hg-script__error', role: 'alert' });
  const element = make(
    'section',
    { class: 'hg-script' },
    make('h2', { class: 'hg-heading' }, 'Script'),
    make('p', { class: 'hg-note' }, 'JavaScript that calls an empty heap. It runs in a worker of its own.'),
    place,
    make('div', { class: 'hg-script__row' }, run, rewind, copy, labelled('example', examples)),
    said,
    problem,
    output,
    makeCalls(),
  );
  parent.append(element);

  function write(next: string, words: string): void {
    wanted = next;
    editor?.write(next);
    clear(words);
  }

  function clear(words: string): void {
    fail(undefined);
    output.replaceChildren();
    setText(said, words);
  }

  function fail(error: ScriptError | undefined): void {
    const place = error?.line === undefined ? '' : `Line ${error.line}: `;
    setText(problem, error === undefined ? '' : place + error.message);
    editor?.markError(error);
  }

  async function load(): Promise<void> {
    loading = true;
    try {
      const { createEditor } = await import('./editor.ts');
      place.replaceChildren();
      editor = createEditor(place, { run: start, names: kScriptNames });
      editor.write(wanted);
    } catch {
      place.replaceChildren(
        make('p', { class: 'hg-note' }, 'The editor could not be loaded. Run still runs the example.'),
        button('Try again', () => void load()),
      );
    }
  }

  return {
    write,
    /** The panel is on the screen. */
    shown(): void {
      if (!loading) void load();
    },
    begin(): void {
      running = true;
      setText(run, 'Stop');
      clear('');
    },
    print(line: string): void {
      output.append(make('pre', { class: 'hg-script__line' }, line));
    },
    end(error: ScriptError | undefined, words: string): void {
      running = false;
      setText(run, 'Run');
      setText(said, words);
      fail(error);
    },
    dispose(): void {
      editor?.dispose();
      element.remove();
    },
  };
}

function button(name: string, press: () => void): HTMLButtonElement {
  const element = make('button', { type: 'button', class: 'hg-button' }, name);
  element.addEventListener('click', press);
  return element;
}

function makeExamples(choose: (text: string) => void): HTMLElement {
  const examples = make(
    'select',
    { class: 'hg-input' },
    make('option', { value: '' }, 'choose …'),
    ...kExamples.map(({ title }, at) => make('option', { value: at }, title)),
  );
  examples.addEventListener('change', () => {
    const example = kExamples[Number(examples.value)];
    if (examples.value === '' || example === undefined) return;
    examples.value = '';
    choose(example.text);
  });
  return examples;
}

/** What a script can call, in words. */
function makeCalls(): HTMLElement {
  return make(
    'details',
    { class: 'hg-script__calls' },
    make('summary', {}, 'What a script can call'),
    make(
      'dl',
      {},
      ...kScriptNames.flatMap(({ name, takes, does }) => [
        make('dt', {}, make('code', {}, `${name}${takes}`)),
        make('dd', {}, does),
      ]),
    ),
  );
}
