// The section heapglass.targets: which function each call of heapglass.sites calls, for stacks that leave out calls (left_out.ts).
//
//   LEB128, for each call: 0, where that is decided when it runs or is no function of the original; else 1 + function that it calls - the
//   one that it stands in, both of the original (folded: site_table.ts)

import { ByteReader, unsignedLeb } from '../symbols/byte_reader.ts';
import { folded, type NumberedCall, type TargetedCall, unfolded } from './site_table.ts';

export const kTargetSection = 'heapglass.targets';
export const kNoTarget = -1;

export const writeTargets = (calls: readonly TargetedCall[]): Uint8Array =>
  Uint8Array.from(
    calls.flatMap(({ function: index, target }) =>
      unsignedLeb(target === kNoTarget || index < 0 ? 0 : 1 + folded(target - index)),
    ),
  );

/** What each of `calls` calls, by its number. They are those of the same module, in order. */
export function readTargets(bytes: Uint8Array, calls: readonly NumberedCall[]): Int32Array {
  const reader = new ByteReader(bytes);
  const targets = new Int32Array(calls.length + 1).fill(kNoTarget);
  for (const { number, function: index } of calls) {
    const written = reader.unsigned();
    if (written > 0) targets[number] = index + unfolded(written - 1);
  }
  return targets;
}
