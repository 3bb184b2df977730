// What a script's worker takes away from the script before it runs, and the one way out that stays.
//
//   SL1  The frame's policy and its missing origin forbid network, storage and imports (web/public/sealed.html). Taking the names away
//        comes on top: a script cannot flood the frame, the browser, or workers of its own by what it cannot name.
//   SL2  Only the language's own names stay, and the few below. The list says what stays, so a new name of a browser does not.
//   SL3  What the worker itself still needs is bound before: nothing that a script replaces is looked up afterwards.
//   SL4  Notes are text, kMostNotes and kMostCharacters of it at most. Then nothing is sent any more but that it ends.

import { kMostCharacters, kMostNotes, type ScriptNote } from '../protocol/scripts.ts';

const kStaying: ReadonlySet<string> = new Set(
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error AggregateError
  EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError DisposableStack AsyncDisposableStack globalThis JSON
  Math Intl ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float16Array Float32Array Float64Array
  Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set Iterator WeakMap WeakSet WeakRef Proxy Reflect
  FinalizationRegistry SharedArrayBuffer decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN
  WebAssembly constructor self console TextDecoder TextEncoder structuredClone queueMicrotask performance`.split(/\s+/),
);

/** SL2 */
export function sealGlobals(): void {
  const ownOfObject = Object.prototype;
  for (let scope: object | null = globalThis; scope !== null && scope !== ownOfObject; ) {
    const next: object | null = Object.getPrototypeOf(scope);
    for (const name of Reflect.ownKeys(scope)) {
      if (typeof name === 'string' && !kStaying.has(name)) Reflect.deleteProperty(scope, name);
    }
    scope = next;
  }
}

/** SL3, SL4. pre: no line of a script has run */
export function sealedPost(port: MessagePort): (note: ScriptNote) => void {
  const send = Function.prototype.call.bind(MessagePort.prototype.postMessage, port) as (text: string) => void;
  const { stringify } = JSON;
  const ended = stringify({ type: 'ended', error: stopped() } satisfies ScriptNote);
  let notes = 0;
  let characters = 0;
  let isOver = false;
  /** undefined: the script has changed how objects are written, so that this one cannot be. */
  const textOf = (note: ScriptNote): string | undefined => {
    try {
      return stringify(note);
    } catch {
      return undefined;
    }
  };
  return (note) => {
    if (isOver) return;
    const text = textOf(note);
    notes += 1;
    characters += text?.length ?? 0;
    isOver = text === undefined || notes > kMostNotes || characters > kMostCharacters;
    send(isOver ? ended : (text as string));
  };
}

const stopped = () => ({
  message: 'The script printed or passed on more than a page can take, and was stopped.',
  line: undefined,
  column: undefined,
});
