// What JavaScript around a module says about which of its functions are the allocator.

import type { Named } from '../../web/src/instrument/family.ts';
import { alternativesInGlue, namesInGlue, saysAllocator } from '../../web/src/instrument/glue_names.ts';

export interface Said {
  readonly named: Named;
  /** The script that says it. */
  readonly script: string;
  /** Whether the script names the module's file, too. */
  readonly namesFile: boolean;
}

/** Its path or address, and its text. */
export type Script = readonly [name: string, text: string];

/** What the scripts say, if they do not contradict each other. */
export function saidBy(scripts: readonly Script[], module: Uint8Array, file: string): Said | undefined {
  const [only, other] = allSaidBy(scripts, module, file);
  return other === undefined ? only : undefined;
}

/**
 * A script that names the module's file (`file`, without its folder) speaks of it. So does one that is called like it: a linker writes both
 * with one name, and a module that was renamed is renamed with its script. Others may speak of another one. Each thing that is said once; of one
 * script more than one where it has the glue of several modules.
 */
export function allSaidBy(scripts: readonly Script[], module: Uint8Array, file: string): readonly Said[] {
  const naming = scripts.filter(([, text]) => namesFile(text, file));
  const named = allSaid(naming, module, true);
  if (named.length > 0) return named;
  const called = scripts.filter(([script]) => stemOf(script) === stemOf(file));
  const said = allSaid(called, module, false);
  return said.length > 0 ? said : allSaid(scripts, module, false);
}

/** Of a path or an address, however long: what it is called, without its ending. */
function stemOf(place: string): string {
  const [path = ''] = place.split(/[?#]/, 1);
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const dot = file.lastIndexOf('.');
  return dot < 0 ? file : file.slice(0, dot);
}

/** Whether the file's name stands in the text, and not as the end or the beginning of another one. */
function namesFile(text: string, file: string): boolean {
  for (let at = text.indexOf(file); at >= 0; at = text.indexOf(file, at + 1)) {
    const around = text.charAt(at - 1) + text.charAt(at + file.length);
    if (!/[\w.-]/.test(around)) return true;
  }
  return false;
}

function allSaid(scripts: readonly Script[], module: Uint8Array, isNaming: boolean): readonly Said[] {
  const said = new Map<string, Said>();
  for (const [script, text] of scripts) {
    for (const named of saidIn(text, module)) {
      const key = JSON.stringify(named);
      if (!said.has(key)) said.set(key, { named, script, namesFile: isNaming });
    }
  }
  return [...said.values()];
}

/** A malloc alone, beside several others, may be another module's. */
function saidIn(text: string, module: Uint8Array): readonly Named[] {
  const only = namesInGlue(text, module);
  if (only.bindgen !== undefined || (only.malloc !== undefined && only.free !== undefined)) return [only];
  const several = alternativesInGlue(text, module);
  return several.length > 0 || !saysAllocator(only) ? several : [only];
}
