// What JavaScript around a module says about which of its functions are the allocator.

import type { Named } from '../../web/src/instrument/family.ts';
import { namesInGlue } from '../../web/src/instrument/glue_names.ts';

export interface Said {
  readonly named: Named;
  /** The script that says it. */
  readonly script: string;
}

/** Where two scripts say different things, none is believed. */
export function saidBy(scripts: Iterable<readonly [name: string, text: string]>, module: Uint8Array): Said | undefined {
  const said = new Map<string, Said>();
  for (const [script, text] of scripts) {
    const named = namesInGlue(text, module);
    if (named.malloc !== undefined) said.set(JSON.stringify(named), { named, script });
  }
  const [only] = said.values();
  return said.size === 1 ? only : undefined;
}
