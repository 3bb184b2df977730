// Of a trace without call sites: which commands record them, for each way to make a program.

import { make } from '../../dom/dom.ts';

interface Way {
  readonly program: string;
  readonly lines: readonly string[];
}

/** app.js loads app.wasm, whoever made it. */
const kModule: Way = {
  program: 'A module that is linked already; with -g its functions have files and lines',
  lines: [
    'cp app.wasm original.wasm &&',
    'npx heapglass instrument original.wasm -o app.wasm --stacks',
    'npx heapglass run app.js',
  ],
};
const kPackage: Way = {
  program: "A package's module without names: the lines of JavaScript that call it",
  lines: ['npx heapglass instrument package.wasm -o package.hg.wasm --callers', 'npx heapglass run app.js'],
};
const kServed: Way = {
  program: 'In the dev servers of Vite and webpack',
  lines: ['plugins: [heapglass({ stacks: true })]'],
};

export function createRecording() {
  const ofPackage = wayOf(kPackage);
  const element = make(
    'section',
    { class: 'hg-sites__recording', 'aria-label': 'How to record call stacks' },
    make(
      'p',
      { class: 'hg-note' },
      'Recorded with call stacks, each function has a row here, and the graph shows who called it:',
    ),
    make('dl', {}, ...wayOf(kModule), ...ofPackage, ...wayOf(kServed)),
  );
  return {
    element,
    /** isLinked: with heapglass, as the trace's free lists show. */
    update(isLinked: boolean): void {
      for (const part of ofPackage) part.hidden = isLinked;
    },
  };
}

const wayOf = ({ program, lines }: Way): readonly HTMLElement[] => [
  make('dt', {}, program),
  make('dd', {}, make('pre', { tabindex: '0' }, lines.join('\n'))),
];
