// What the commands say of a module in which no allocator was found by name: which functions behave like one (trial.ts).

import { ModuleProblem } from '../../web/src/instrument/module_problem.ts';
import { type Tried, triedAllocator } from './trial.ts';

const kSoonTried = 1 << 16; // bytes: a smaller module has few functions to try

/** The problem as it was, or one that offers functions to name. The search takes up to a minute for a large module: `onTrying` is told before. */
export function withOffer(error: unknown, bytes: Uint8Array, onTrying: (text: string) => void): unknown {
  if (!(error instanceof ModuleProblem) || (error.code !== 'no_names' && error.code !== 'no_allocator')) return error;
  if (bytes.length > kSoonTried)
    onTrying('no names say which functions allocate: each that could is tried, which takes a while');
  const tried = tryQuietly(bytes);
  if (tried === undefined) return error;
  const options = Object.entries(tried).map(([role, index]) => `--${role} ${[index].flat().join(',')}`);
  const frees = tried.free.join(' or ');
  const offer = `tried alone, functions ${tried.malloc} and ${frees} behave like malloc and free; if nothing above them is the allocator you mean: ${options.join(' ')}`;
  return new ModuleProblem(error.code, `${error.message}; ${offer}`);
}

/** A module that cannot be tried has no offer. */
function tryQuietly(bytes: Uint8Array): Tried | undefined {
  try {
    return triedAllocator(bytes);
  } catch {
    return undefined;
  }
}
