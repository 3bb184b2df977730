// Reads the C headers that are the project's contracts: X tables, structs, constants, prototypes.
//
// Not a C parser: it understands the shapes that core/include/heapglass/*.h promise to keep (one X(...) a line, structs
// of size_t, pointers and fixed-width words, one prototype a statement). Whatever it meets beyond them is an error, so a
// header that leaves the shape fails the build instead of giving a wrong layout.

import { readFileSync } from 'node:fs';

/** The text of a header without comments; line ends stay so that one X a line can be seen. */
export function readHeader(path) {
  return readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));
}

/** The rows of `#define NAME(X) X(...) \ ...`: arrays of their arguments as written, quotes of strings taken off. */
export function readTable(header, name) {
  const begin = header.indexOf(`#define ${name}(X)`);
  if (begin < 0) throw new Error(`no table ${name}`);
  const rows = [];
  for (const line of header.slice(begin).split('\n').slice(1)) {
    const row = /^\s*X\((.*)\)\s*(\\?)\s*$/.exec(line);
    if (row) rows.push(splitArguments(row[1]));
    else if (line.replace('\\', '').trim() !== '') throw new Error(`${name}: not a row: ${line.trim()}`);
    if (!line.trimEnd().endsWith('\\')) break;
  }
  if (rows.length === 0) throw new Error(`table ${name} is empty`);
  const numbers = rows.map((row) => row[0]);
  if (new Set(numbers).size !== numbers.length) throw new Error(`${name}: a number stands twice`);
  return rows;
}

/** `#define NAME <number>` as a number. Hexadecimal, decimal, u suffix. */
export function readConstant(header, name) {
  const found = new RegExp(`^#define ${name}\\s+\\(?(0x[0-9a-fA-F]+|\\d+)u?\\)?\\s*$`, 'm').exec(header);
  if (!found) throw new Error(`no constant ${name}`);
  return Number(found[1]);
}

/** The number of an `inline constexpr Word name = ...;`, which may count words: `4 * kWord`. */
export function readWord(header, name, wordBytes) {
  const found = new RegExp(`^inline constexpr Word ${name} = (\\d+)( \\* kWord)?;`, 'm').exec(header);
  if (!found) throw new Error(`no constant ${name}`);
  return Number(found[1]) * (found[2] ? wordBytes : 1);
}

/** Every `#define HG_X 0x..u`: the flag constants, in order. */
export function readFlags(header) {
  return [...header.matchAll(/^#define HG_(\w+)\s+(0x[0-9a-fA-F]+)u\s*$/gm)].map((m) => [
    m[1].toLowerCase(),
    Number(m[2]),
  ]);
}

/** The structs on wasm32: [{ name, bytes, fields: [{ name, offset, count }] }]. Words and pointers are 4 bytes. */
export function readStructs(header) {
  const structs = [];
  const callbacks = [...header.matchAll(/typedef [^;{}]*?\(\*(\w+)\)/g)].map((m) => m[1]);
  for (const match of header.matchAll(/typedef struct (hg_\w+) \{([\s\S]*?)\} \1;/g)) {
    const fields = [];
    let offset = 0;
    for (const declaration of match[2]
      .split(';')
      .map((text) => text.trim())
      .filter(Boolean)) {
      const parts = /^((?:const )?(?:struct )?\w+)\s+(.+)$/.exec(declaration);
      if (!parts) throw new Error(`${match[1]}: cannot read "${declaration}"`);
      for (const declarator of parts[2].split(',')) {
        const field = /^\s*(\*?)\s*(\w+)(?:\[(\d+)\])?\s*$/.exec(declarator);
        const known = /^(uint32_t|size_t)$/.test(parts[1]) || callbacks.includes(parts[1]) || field?.[1] === '*';
        if (!field || !known)
          throw new Error(`${match[1]}: a field that is no 32-bit word on wasm32: "${declaration}"`);
        const count = Number(field[3] ?? 1);
        fields.push({ name: field[2], offset, count });
        offset += 4 * count;
      }
    }
    structs.push({ name: match[1], bytes: offset, fields });
  }
  return structs;
}

/** The functions a header declares and does not define, in order: [{ name, result, parameters }]. */
export function readFunctions(header) {
  const functions = [];
  const text = header.replace(/^#(?:[^\n]*\\\n)*[^\n]*$/gm, '').replace(/extern "C" \{/g, '');
  for (const match of text.matchAll(
    /(?:^|[;}\n])\s*([\w][\w\s]*?[\s*]+)((?:hg|word_index|experiment|program)_\w+)\s*\(([^()]*)\)\s*(;|\{)/g,
  )) {
    if (/\btypedef\b/.test(match[1]) || match[4] === '{') continue;
    if (/\bstatic\b/.test(match[1])) throw new Error(`${match[2]}: static without a body`);
    const parameters =
      match[3].trim() === 'void' || match[3].trim() === ''
        ? []
        : match[3].split(',').map((p) => p.trim().replace(/\s+/g, ' '));
    functions.push({ name: match[2], result: match[1].trim().replace(/\s+/g, ' '), parameters });
  }
  return functions;
}

/** The hg_ functions that a C++ source defines outside any class, in order: [{ name, result, parameters }]. */
export function readDefinitions(source) {
  return [
    ...source.matchAll(/^\s*(?:extern "C" )?((?:\w|[*\s])+?[\s*])(hg_\w+)\s*\(([^()]*)\)\s*(?:noexcept\s*)?\{/gm),
  ].map((match) => ({
    name: match[2],
    result: match[1].trim(),
    parameters: match[3].trim() === '' || match[3].trim() === 'void' ? [] : match[3].split(',').map((p) => p.trim()),
  }));
}

/** `heap_created` -> `heapCreated`. */
export function camelCase(name) {
  return name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

function splitArguments(text) {
  const parts = [...text.matchAll(/\s*("(?:[^"\\]|\\.)*"|[^,]+)\s*(?:,|$)/g)].map((match) => match[1].trim());
  return parts.map((part) => (part.startsWith('"') ? JSON.parse(part) : part));
}
