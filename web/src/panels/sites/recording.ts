// Of a trace without call sites: which commands record them, for each way to make a program.

import { make } from '../../dom/dom.ts';

interface Way {
  readonly program: string;
  readonly lines: readonly string[];
}

const kWays: readonly Way[] = [
  {
    program: 'A finished module',
    lines: [
      'npx heapglass instrument app.wasm -o app.hg.wasm --stacks',
      'npx heapglass run app.js   # app.hg.wasm is what app.js loads',
    ],
  },
  {
    program: "A package's module without names: the lines of JavaScript that call it",
    lines: ['npx heapglass instrument package.wasm -o package.hg.wasm --callers', 'npx heapglass run app.js'],
  },
  {
    program: 'A program that is linked with heapglass: its free lists, too',
    lines: [
      'emcc app.c -g $(npx heapglass --ldflags --profile trace) -o app.js',
      'cp app.wasm original.wasm && npx heapglass instrument original.wasm -o app.wasm --stacks',
      'npx heapglass run app.js',
    ],
  },
  { program: 'In the dev servers of Vite and webpack', lines: ['plugins: [heapglass({ stacks: true })]'] },
];

export const createRecording = (): HTMLElement =>
  make(
    'section',
    { class: 'hg-sites__recording', 'aria-label': 'How to record call stacks' },
    make(
      'p',
      { class: 'hg-note' },
      'Recorded with call stacks, each function has a row here, and the graph shows who called it:',
    ),
    make(
      'dl',
      {},
      ...kWays.flatMap(({ program, lines }) => [
        make('dt', {}, program),
        make('dd', {}, make('pre', { tabindex: '0' }, lines.join('\n'))),
      ]),
    ),
  );
