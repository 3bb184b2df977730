// Which exports of a module are its malloc family, as Emscripten's JavaScript (its glue) says it: a minifier shortens the names of
// exports, and the glue keeps both. What wasm-bindgen's says: bindgen_names.ts.
//
//   _malloc=a0=>(_malloc=wasmExports["Ia"])(a0)        _malloc = Module["_malloc"] = Module["asm"]["Ia"]        _malloc=r.Ia
//
//   glue.1  Behind an assignment to _malloc the first property that is the name of an exported function is malloc.
//   glue.2  If two assignments say different names, neither is taken. A bundle has the glue of several modules, so each pair is an alternative:
//           whoever can try which of them behaves so in this module may take it.
//   glue.5  Where the names of variables are gone too, embind shows them: it makes a std::string of 4 + length + 1 bytes, and gives free to a
//           list of destructors beside the block.
//   glue.6  What is searched may be anybody's text: the time grows in proportion to it. So each pattern begins where a word does, and repeats
//           a bounded number of times what may begin at each of its own parts.
//
//               o=(i=n$(4+e+1))+4 ... null!==n&&n.push(nZ,i)          function n$(){return(n$=u.asm.H).apply(null,arguments)}

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
const kMostTargets = 8; // of one assignment: a = b = c
const kMostPairs = 16;
const kMostVariables = 16; // that may be malloc; glue has one
const kProperty = /\.([A-Za-z_$][\w$]*)|\[\s*["']([^"']+)["']\s*\]/g;

/** Empty where the glue says nothing. */
export function namesInGlue(glue: string, module: Uint8Array): Named {
  const names = functionsOf(module);
  const found: Partial<Record<(typeof kRoles)[number][1], string>> = {};
  for (const [inC, role] of kRoles) {
    const [only, other] = assignedTo(`_${inC}`, glue, names);
    if (only !== undefined && other === undefined) found[role] ??= only;
  }
  if (found.malloc === undefined) Object.assign(found, embindsIn(glue, names));
  const bindgen = found.malloc === undefined ? bindgensInGlue(glue, names) : undefined;
  return bindgen === undefined ? found : { ...found, bindgen };
}

/** Whether they say which functions are the allocator. */
export const saysAllocator = ({ malloc, bindgen }: Named): boolean => malloc !== undefined || bindgen !== undefined;

/** glue.2: where the glue says different names, each malloc with each free; none where it says one, or none, or very many. */
export function alternativesInGlue(glue: string, module: Uint8Array): readonly Named[] {
  const names = functionsOf(module);
  const all = (variable: string, place: RegExp) => [
    ...new Set([...assignedTo(variable, glue, names), ...variablesOf(place, glue, names)]),
  ];
  const frees = all('_free', kDestructor);
  const pairs = all('_malloc', kString).flatMap((malloc) => frees.map((free) => ({ malloc, free })));
  return pairs.length > 1 && pairs.length <= kMostPairs ? pairs.filter(({ malloc, free }) => malloc !== free) : [];
}

const functionsOf = (module: Uint8Array): ReadonlySet<string> =>
  new Set(
    readModule(module)
      .exports.filter(({ kind }) => kind === kExported.function)
      .map(({ name }) => name),
  );

/** glue.1: the exports that the variable or property is. */
function assignedTo(variable: string, glue: string, names: ReadonlySet<string>): readonly string[] {
  const assignment = new RegExp(`(?<![\\w$])${variable.replaceAll('$', '\\$')}(?:["']\\])?\\s*=(?![=>])`, 'g');
  const said = new Set<string>();
  for (const { index, 0: begun } of glue.matchAll(assignment)) {
    const from = index + begun.length;
    const name = firstExport(glue.slice(from, from + kNear), names);
    if (name !== undefined) said.add(name);
  }
  return [...said];
}

const kName = String.raw`[A-Za-z_$][\w$]*`;
const kPlace = String.raw`${kName}(?:\.[A-Za-z_$][\w$]*|\[["'][^"']+["']\])*`;
const kLast = String.raw`(?:\.([A-Za-z_$][\w$]*)|\[["']([^"']+)["']\])`;
const kString = new RegExp(String.raw`(?<![\w$.])(${kName})\(\s*4\s*\+\s*${kName}\s*\+\s*(?:1|${kName})\s*\)`, 'g');
const kIfGiven = String.raw`(?<![\w$])(?:null\s*[!=]==?\s*${kName}|${kName}\s*[!=]==?\s*null)\s*(?:&&|\|\|)\s*`;
const kDestructor = new RegExp(String.raw`${kIfGiven}${kName}\.push\(\s*(${kName})\s*,\s*${kName}\s*\)`, 'g');

/** glue.5: both or none. */
function embindsIn(glue: string, names: ReadonlySet<string>): { malloc?: string; free?: string } {
  const [malloc, otherMalloc] = variablesOf(kString, glue, names);
  const [free, otherFree] = variablesOf(kDestructor, glue, names);
  if (malloc === undefined || free === undefined || malloc === free) return {};
  return otherMalloc === undefined && otherFree === undefined ? { malloc, free } : {};
}

/** The exports that variables at this place are assigned, alone: a short name is another variable's elsewhere. */
function variablesOf(place: RegExp, glue: string, names: ReadonlySet<string>): readonly string[] {
  const said = new Set<string>();
  const different = new Set([...glue.matchAll(place)].map(([, func]) => func));
  if (different.size > kMostVariables) return [];
  for (const variable of different) {
    if (variable === undefined) continue;
    const assignment = new RegExp(
      String.raw`(?<![\w$.])${variable.replaceAll('$', '\\$')}\s*=\s*(?:${kPlace}\s*=\s*){0,${kMostTargets}}${kPlace}${kLast}\s*(?=[;,)}\n]|$)`,
      'g',
    );
    for (const [, plain, quoted] of glue.matchAll(assignment)) {
      const name = plain ?? quoted ?? '';
      if (names.has(name)) said.add(name);
    }
  }
  return [...said];
}

function firstExport(text: string, names: ReadonlySet<string>): string | undefined {
  const [statement = ''] = text.split(';');
  for (const [, plain, quoted] of statement.matchAll(kProperty)) {
    const name = plain ?? quoted ?? '';
    if (names.has(name)) return name;
  }
  return undefined;
}
