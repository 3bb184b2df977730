// How a linked program is to be recorded: what the environment says (Node), else Module.heapglassOptions.

import { node } from '../node.ts';
import { keepOf, refuse } from '../recorder.ts';
import type { Keep } from '../recorder_types.ts';
import { givenOptions } from './program.ts';

const kDefaultKeep = 4194304; // events: 64 MiB

/** hg_ring.mode */
export const kModes = { drop: 0, lossless: 1 };

export interface Settings {
  readonly mode: 'drop' | 'lossless';
  readonly keep: Keep;
  /** HEAPGLASS_RECORD: the path of the trace file. */
  readonly file: string | undefined;
}

/** Throws an Error that names a wrong one. */
export function readSettings(): Settings {
  const options = givenOptions();
  const set = node === undefined ? {} : node.env;
  for (const name of Object.keys(options)) {
    if (name !== 'mode' && name !== 'keep') refuse('the option', name, '"mode" or "keep"');
  }
  const mode = set['HEAPGLASS_MODE'] || options['mode'] || 'lossless';
  if (mode !== 'drop' && mode !== 'lossless') return refuse('the mode', mode, '"lossless" or "drop"');
  const file = set['HEAPGLASS_RECORD'] || undefined;
  const given = set['HEAPGLASS_KEEP'] || options['keep'];
  const keep = given === undefined ? (file === undefined ? kDefaultKeep : 'all') : keepOf(given);
  return { mode, keep, file };
}
