// Which exports of a Rust module are wasm-bindgen's malloc, realloc and free, as its JavaScript says it. Newer versions give them numbers
// instead of names: __wbindgen_export_1; or __wbindgen_export, __wbindgen_export2.
//
//   passStringToWasm0(text, wasm.__wbindgen_export_1, wasm.__wbindgen_export_2)       a function, a text, its malloc and its realloc
//   passArray8ToWasm0(bytes, wasm.__wbindgen_export_1)                                its malloc alone
//   wasm.__wbindgen_export_3(r0, r1 * 4, 4)                                           its free: address, bytes, alignment
//
//   glue.3  What two places say differently is not taken. free need not be said beside malloc and realloc: a program that gets no text and no
//           bytes from Rust has none.

const kNumbered = '__wbindgen_export(?:_?\\d+)?'; // the first one may have none
const kOf = String.raw`[\w$]+(?:\.[\w$]+)*`; // wasm, or what a bundler calls it

/** wasm-bindgen's functions around the allocator, by the names of their exports. */
export interface BindgenNames {
  readonly malloc: string;
  readonly free?: string;
  readonly realloc?: string;
}

export const kBindgenNames: BindgenNames = {
  malloc: '__wbindgen_malloc',
  free: '__wbindgen_free',
  realloc: '__wbindgen_realloc',
};

const kText = new RegExp(String.raw`,\s*${kOf}\.(${kNumbered})\s*,\s*${kOf}\.(${kNumbered})\s*\)`, 'g');
const kBytes = new RegExp(String.raw`\(\s*[\w$]+\s*,\s*${kOf}\.(${kNumbered})\s*\)`, 'g');
const kFree = new RegExp(
  String.raw`\.(${kNumbered})\(\s*[\w$]+\s*,\s*[\w$]+(?:\s*\*\s*\d+)?\s*,\s*(?:1|2|4|8|16)\s*\)`,
  'g',
);

export function bindgensInGlue(glue: string, exported: ReadonlySet<string>): BindgenNames | undefined {
  const ofTexts = allSaid(glue, kText, exported);
  const [[malloc, realloc] = [], otherMalloc] = ofTexts.length > 0 ? ofTexts : allSaid(glue, kBytes, exported);
  const [[free] = [], otherFree] = allSaid(glue, kFree, exported);
  if (malloc === undefined || malloc === free || (free ?? realloc) === undefined) return undefined;
  if (otherMalloc !== undefined || otherFree !== undefined) return undefined;
  return { malloc, ...(free === undefined ? {} : { free }), ...(realloc === undefined ? {} : { realloc }) };
}

/** The exports that the matches name, each group once. */
function allSaid(glue: string, pattern: RegExp, exported: ReadonlySet<string>): readonly (readonly string[])[] {
  const said = new Map<string, readonly string[]>();
  for (const [, ...names] of glue.matchAll(pattern))
    if (names.every((name) => exported.has(name))) said.set(names.join(), names);
  return [...said.values()];
}
