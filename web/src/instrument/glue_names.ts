// Which exports of a module are its malloc family, as Emscripten's JavaScript (its glue) says it: a minifier shortens the names of
// exports, and the glue keeps both. What wasm-bindgen's says: bindgen_names.ts.
//
//   _malloc=a0=>(_malloc=wasmExports["Ia"])(a0)        _malloc = Module["_malloc"] = Module["asm"]["Ia"]        _malloc=r.Ia
//
//   glue.1  Behind an assignment to _malloc the first property that is the name of an exported function is malloc.
//   glue.2  If two assignments say different names, neither is taken.

import { kExported, readModule } from '../symbols/index.ts';
import { bindgensInGlue } from './bindgen_names.ts';
import type { Named } from './family.ts';

/** Roles by what C calls them; of two names with a role the first that is said. */
const kRoles = [
  ['malloc', 'malloc'],
  ['free', 'free'],
  ['calloc', 'calloc'],
  ['realloc', 'realloc'],
  ['memalign', 'memalign'],
  ['aligned_alloc', 'memalign'],
  ['posix_memalign', 'posix_memalign'],
  ['webidl_malloc', 'malloc'], // what Emscripten's WebIDL binder makes of them
  ['webidl_free', 'free'],
] as const;
const kNear = 200; // characters
const kProperty = /\.([A-Za-z_$][\w$]*)|\[\s*["']([^"']+)["']\s*\]/g;

/** Empty where the glue says nothing. */
export function namesInGlue(glue: string, module: Uint8Array): Named {
  const exported = readModule(module).exports.filter(({ kind }) => kind === kExported.function);
  const names = new Set(exported.map(({ name }) => name));
  const found: Partial<Record<(typeof kRoles)[number][1], string>> = {};
  for (const [inC, role] of kRoles) {
    const said = new Set<string>();
    for (const { index, 0: begun } of glue.matchAll(new RegExp(`(?<![\\w$])_${inC}(?:["']\\])?\\s*=(?!=)`, 'g'))) {
      const from = index + begun.length;
      const name = firstExport(glue.slice(from, from + kNear), names);
      if (name !== undefined) said.add(name);
    }
    const [only] = said;
    if (said.size === 1 && only !== undefined) found[role] ??= only;
  }
  const bindgen = found.malloc === undefined ? bindgensInGlue(glue, names) : undefined;
  return bindgen === undefined ? found : { ...found, bindgen };
}

/** Whether they say which functions are the allocator. */
export const saysAllocator = ({ malloc, bindgen }: Named): boolean => malloc !== undefined || bindgen !== undefined;

function firstExport(text: string, names: ReadonlySet<string>): string | undefined {
  const [statement = ''] = text.split(';');
  for (const [, plain, quoted] of statement.matchAll(kProperty)) {
    const name = plain ?? quoted ?? '';
    if (names.has(name)) return name;
  }
  return undefined;
}
