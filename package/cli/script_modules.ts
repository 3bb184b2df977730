// Modules inside scripts: packages that bring one file, and programs linked with -sSINGLE_FILE, have the module as a literal.
//
//   base64          of whatever decodes it, also behind data:application/wasm;base64,
//   list of bytes   decimal or hexadecimal: Uint8Array.of(0,97,115,109,1,0,0,0,...)
//   text            binaryDecode("<0>asm..."), Emscripten 6: a character for each byte, 0 as itself or as U+0100
//
//   script.1  Only the literal is exchanged: what stands around it, and how it decodes it, stays as it is.
//   script.2  Scripts have small modules too that ask what the engine can do. What begins like a module and is none, as a beginning that is
//             put together with more at run time, is no literal of one.
//   script.3  A file is a script by its name, or by what is inside: packages keep modules in files of JSON, too.

import { memoriesIn } from '../../web/src/instrument/module_problem.ts';
import { Problem } from './problem.ts';

export interface ScriptModule {
  /** Where the literal stands in the text. */
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
  /** A literal of the same kind. */
  literal(bytes: Uint8Array): string;
}

const kScript = /\.(?:[cm]?js|html?)$/i;
const kMagic = [0, 0x61, 0x73, 0x6d];
const kBase64 = /(?<=["'`,])AGFzbQEAAA[A-Za-z0-9+/]+={0,2}(?=["'`])/g;
const kByte = String.raw`(?:0x[\da-fA-F]{1,2}|\d{1,3})`;
const kList = new RegExp(
  String.raw`(?<=[[(]\s*)(?:0|0x00)\s*,\s*(?:97|0x61)\s*,\s*(?:115|0x73)\s*,\s*(?:109|0x6[dD])(?:\s*,\s*${kByte})+(?=\s*,?\s*[\])])`,
  'g',
);
const kText = /["'`](?=(?:\0|\u0100|\\0|\\x00|\\u0000)asm)/g;
const kZero = 0x100; // in a text
const kEscape = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}|([\s\S]))/g;
const kControls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', v: '\v', f: '\f', 0: '\0' };

/** script.3: its text; undefined: it is none. */
export function scriptIn(bytes: Uint8Array, path: string): string | undefined {
  if (kMagic.every((byte, at) => bytes[at] === byte)) return undefined;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return kScript.test(path) || [kBase64, kList, kText].some((literal) => text.search(literal) >= 0) ? text : undefined;
}

/** In the order of the text. Throws a Problem that says what to do when there is none. */
export function modulesIn(text: string, name: string): readonly ScriptModule[] {
  const found = literalsIn(text);
  if (found.length > 0) return found;
  throw noModule(name);
}

/** Whether a program is in it, so that what it says of one may be said of that. */
export const hasProgram = (text: string): boolean => literalsIn(text).some(({ bytes }) => memoriesIn(bytes) > 0);

function literalsIn(text: string): readonly ScriptModule[] {
  const found = [
    ...[...text.matchAll(kBase64)].map((match) =>
      moduleAt(match, base64Of, (bytes) => Buffer.from(bytes).toString('base64')),
    ),
    ...[...text.matchAll(kList)].map((match) => moduleAt(match, listOf, (bytes) => bytes.join(','))),
    ...[...text.matchAll(kText)].flatMap(({ index }) => textAt(text, index)),
  ].filter(({ bytes }) => WebAssembly.validate(Uint8Array.from(bytes)));
  return found.sort((one, other) => one.from - other.from);
}

/** Also of a script that has only modules without a memory, which ask the engine for something or call back. */
export const noModule = (name: string): Problem =>
  new Problem(
    `"${name}" has no module inside as a literal; name the .wasm file that it loads. Where it makes the module of other data, record the calls of its exports: recordExports() of heapglass/instrumented`,
  );

/** The text with other modules in place of some. */
export function exchanged(text: string, others: ReadonlyMap<ScriptModule, Uint8Array>): string {
  const parts: string[] = [];
  let at = 0;
  for (const [module, bytes] of others) {
    parts.push(text.slice(at, module.from), module.literal(bytes));
    at = module.to;
  }
  return [...parts, text.slice(at)].join('');
}

function moduleAt(
  match: RegExpExecArray,
  read: (text: string) => Uint8Array,
  literal: ScriptModule['literal'],
): ScriptModule {
  return { from: match.index, to: match.index + match[0].length, bytes: read(match[0]), literal };
}

const base64Of = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64'));
const listOf = (text: string): Uint8Array => Uint8Array.from(text.split(',').map(Number));

/** The text whose quote stands there; none where a character is no byte. */
function textAt(script: string, from: number): readonly ScriptModule[] {
  const quote = script[from] ?? '';
  let end = from + 1;
  while (end < script.length && script[end] !== quote) end += script[end] === '\\' ? 2 : 1;
  const inside = script.slice(from + 1, end);
  const plain = inside.replaceAll(kEscape, (_, x?: string, u?: string, long?: string, one = '') => {
    const hex = x ?? u ?? long;
    return hex === undefined ? (kControls[one] ?? one) : String.fromCodePoint(Number.parseInt(hex, 16));
  });
  const codes = Array.from(plain, (letter) => letter.codePointAt(0) ?? 0);
  if (codes.some((code) => code > kZero)) return [];
  const [first = ''] = inside;
  const zero = first === '\\' ? '\\x00' : first; // as it was
  const escaped: Readonly<Record<string, string>> = {
    '\0': zero,
    '\r': '\\r',
    '\n': '\\n',
    '\\': '\\\\',
    [quote]: `\\${quote}`,
  };
  const literal = (bytes: Uint8Array): string =>
    Array.from(bytes, (byte) => escaped[String.fromCharCode(byte)] ?? String.fromCharCode(byte)).join('');
  return [{ from: from + 1, to: end, bytes: Uint8Array.from(codes, (code) => code % kZero), literal }];
}
