// The editor of scripts: CodeMirror with JavaScript, completion of what a script can call, and errors at their line. Loaded when
// the panel is first opened, so that the page's first load does not hold it.

import { autocompletion, type CompletionContext, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript, javascriptLanguage, localCompletionSource } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { ScriptError } from '../../protocol/scripts.ts';
import type { ScriptName } from './completions.ts';

export interface Editor {
  text(): string;
  write(text: string): void;
  /** undefined: none. */
  markError(error: ScriptError | undefined): void;
  focus(): void;
  dispose(): void;
}

export interface EditorCallbacks {
  run(): void;
  /** What completion offers. */
  readonly names: readonly ScriptName[];
}

const kLooks = EditorView.theme({
  '&': { color: 'var(--hg-text)', fontSize: 'var(--hg-text-3)' },
  '.cm-content': { fontFamily: 'var(--hg-mono)', caretColor: 'var(--hg-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--hg-text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--hg-dim)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '.cm-tooltip': { backgroundColor: 'var(--hg-raised)', color: 'var(--hg-text)', borderColor: 'var(--hg-line)' },
});

/** Few colours: what is a word of the language, what is text, what is said beside it. */
const kColours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--hg-accent)' },
  { tag: [tags.string, tags.regexp], color: 'var(--hg-ok)' },
  { tag: tags.comment, color: 'var(--hg-dim)', fontStyle: 'italic' },
]);

export function createEditor(place: Element, { run, names }: EditorCallbacks): Editor {
  const runNow = (): boolean => {
    run();
    return true;
  };
  const view = new EditorView({
    parent: place,
    state: EditorState.create({
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        javascript(),
        syntaxHighlighting(kColours),
        autocompletion(),
        javascriptLanguage.data.of({ autocomplete: completionOf(names) }),
        javascriptLanguage.data.of({ autocomplete: localCompletionSource }),
        keymap.of([
          { key: 'Mod-Enter', run: runNow },
          ...completionKeymap,
          ...historyKeymap,
          ...defaultKeymap,
          indentWithTab, // Escape, then Tab leaves the editor
        ]),
        EditorView.contentAttributes.of({
          'aria-label': 'Script',
          'aria-description': 'Escape and then Tab leaves the editor.',
        }),
        EditorView.lineWrapping,
        kLooks,
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    write(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    markError(error) {
      const place = error?.line === undefined ? undefined : placeOf(view.state, error.line, error.column);
      const found =
        error === undefined || place === undefined
          ? []
          : [{ ...place, severity: 'error' as const, message: error.message }];
      view.dispatch(setDiagnostics(view.state, found));
      if (place !== undefined) view.dispatch({ effects: EditorView.scrollIntoView(place.from) });
    },
    focus: () => view.focus(),
    dispose: () => view.destroy(),
  };
}

/** From the column to the end of the line; where that is nothing, all of the line. */
function placeOf({ doc }: EditorState, line: number, column: number | undefined) {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  const at = Math.min(to, from + (column ?? 1) - 1);
  return at < to ? { from: at, to } : { from, to };
}

/** heap. and pool. open their calls; a bare word is completed by the rest. */
const completionOf = (names: readonly ScriptName[]) => (context: CompletionContext) => {
  const word = context.matchBefore(/[\w$]+\.\w*|\w+/);
  if (word === null) return null;
  const [owner, after] = word.text.includes('.') ? word.text.split('.') : [undefined, word.text];
  // A pool may have any name: what is no heap and no console gets a pool's calls.
  const prefix = owner === undefined ? '' : owner === 'heap' || owner === 'console' ? `${owner}.` : 'pool.';
  const options = names
    .filter(({ name }) => (prefix === '' ? !name.startsWith('pool.') : name.startsWith(prefix)))
    .map(({ name, takes, does }) => ({
      label: name.slice(prefix.length),
      detail: takes,
      info: does,
      type: 'function',
    }));
  // The list that is open stays while a word is typed: one that is looked up anew takes no choice meanwhile.
  return { from: word.to - (after ?? '').length, options, validFor: /^[\w$]*$/ };
};
