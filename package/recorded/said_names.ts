// What JavaScript around a module says about which of its functions are the allocator.

import type { Named } from '../../web/src/instrument/family.ts';
import { namesInGlue, saysAllocator } from '../../web/src/instrument/glue_names.ts';

export interface Said {
  readonly named: Named;
  /** The script that says it. */
  readonly script: string;
}

type Script = readonly [name: string, text: string];

/** A script that names the module's file (`file`, without its folder) speaks of it; others may speak of another one. Where two say different things, none is believed. */
export function saidBy(scripts: readonly Script[], module: Uint8Array, file: string): Said | undefined {
  const said = allSaid(
    scripts.filter(([, text]) => namesFile(text, file)),
    module,
  );
  const [only, other] = said.length > 0 ? said : allSaid(scripts, module);
  return other === undefined ? only : undefined;
}

/** Whether the file's name stands in the text, and not as the end or the beginning of another one. */
function namesFile(text: string, file: string): boolean {
  for (let at = text.indexOf(file); at >= 0; at = text.indexOf(file, at + 1)) {
    const around = text.charAt(at - 1) + text.charAt(at + file.length);
    if (!/[\w.-]/.test(around)) return true;
  }
  return false;
}

/** What they say, each thing once. */
function allSaid(scripts: readonly Script[], module: Uint8Array): readonly Said[] {
  const said = new Map<string, Said>();
  for (const [script, text] of scripts) {
    const named = namesInGlue(text, module);
    if (saysAllocator(named)) said.set(JSON.stringify(named), { named, script });
  }
  return [...said.values()];
}
