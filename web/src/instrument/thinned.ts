// A module without most of its code: what Binaryen has to read of one.
//
//   module ─▶ thinned(kept) ─▶ Binaryen: finds the family, wraps it ─▶ spliced() ─▶ the module, with what has changed
//
//   Thin.1  Binaryen takes a second for a megabyte of code, and only a few functions change. All others trap here at once; their types,
//           names and numbers stay, so all that asks for these gets what the whole module gives.
//   Thin.2  Kept is what anybody looks into: functions with an allocator's name, what they call, what calls two of these, as realloc does, and
//           what calls one and little else, as memalign does.
//   Thin.3  Segments and the start stay out: nothing of them changes but numbers.

import { functionNames, kOp, kSection, unsignedLeb, type WasmModule } from '../symbols/index.ts';
import { joined } from '../trace/trace_writer.ts';
import { roleOfName } from './allocator_names.ts';
import { kBindgenNames } from './bindgen_names.ts';
import type { Named } from './family.ts';
import { customSection } from './sections.ts';
import { functionNamesOnly } from './spliced_names.ts';

const kLeftOut: readonly number[] = [kSection.start, kSection.element, kSection.data, kSection.dataCount];
const kMostParameters = 4; // of any role
const kLittle = 8;
const kTrap = [3, 0, kOp.unreachable, kOp.end];

/** `kept`: functions that keep their code, by their numbers. */
export function thinned(module: WasmModule, kept: ReadonlySet<number>): Uint8Array {
  const { bytes, sections } = module;
  const parts = sections.flatMap(({ id, name, headerAt, end }) => {
    if (id === kSection.code) return [code(module, kept)];
    if (name === 'name') return [customSection(name, functionNamesOnly(module))]; // locals of what traps would be wrong
    const stays = id !== kSection.custom && !kLeftOut.includes(id);
    return stays ? [bytes.subarray(headerAt, end)] : [];
  });
  return joined([bytes.subarray(0, 8), ...parts]);
}

function code({ bytes, bodies, imports }: WasmModule, kept: ReadonlySet<number>): Uint8Array {
  const trap = Uint8Array.from(kTrap);
  const content = joined([
    Uint8Array.from(unsignedLeb(bodies.length)),
    ...bodies.map(({ sizeAt, end }, nth) => (kept.has(imports.length + nth) ? bytes.subarray(sizeAt, end) : trap)),
  ]);
  return joined([Uint8Array.from([kSection.code, ...unsignedLeb(content.length)]), content]);
}

/** Thin.2 */
export function lookedInto(module: WasmModule, named: Named): Set<number> {
  const calls = callsOf(module);
  const seeds = namedIn(module, named);
  const near = new Set(seeds);
  for (const seed of seeds) for (const target of calls(seed)) near.add(target);
  for (const one of near) {
    const [only, ...others] = calls(one); // one that may stand for another
    if (only !== undefined && others.length === 0) near.add(only);
  }
  const kept = new Set(near);
  for (const one of near) for (const target of calls(one)) kept.add(target);
  module.bodies.forEach((_, nth) => {
    const index = module.imports.length + nth;
    const { params = 0, results = 0 } = module.types[module.functionTypes[index] ?? -1] ?? {};
    if (results > 1 || params === 0 || params > kMostParameters) return;
    const targets = calls(index);
    let ofThem = 0;
    for (const target of targets) if (near.has(target)) ++ofThem;
    if (ofThem > 1 || (ofThem === 1 && targets.size <= kLittle)) kept.add(index);
  });
  return kept;
}

function callsOf({ bodies, imports }: WasmModule): (index: number) => ReadonlySet<number> {
  return (index) =>
    new Set(bodies[index - imports.length]?.calls.filter(({ op }) => op === kOp.call).map(({ target }) => target));
}

/** With an allocator's name, or one that the user or wasm-bindgen gives. */
function namedIn(module: WasmModule, { bindgen, ...named }: Named): Set<number> {
  const given = new Set(Object.values(named).flatMap((names) => names.split(',')));
  const bindgens = new Set<string>(Object.values(bindgen ?? kBindgenNames));
  const found = new Set<number>([...given].filter((name) => /^\d+$/.test(name)).map(Number));
  const consider = (name: string, index: number): void => {
    const isGiven = given.has(name) || (name.startsWith('_') && given.has(name.slice(1)));
    if (isGiven || bindgens.has(name) || roleOfName(name) !== undefined) found.add(index);
  };
  for (const [index, name] of functionNames(module)) consider(name, index);
  for (const { name, kind, index } of module.exports) if (kind === 0) consider(name, index);
  return found;
}
