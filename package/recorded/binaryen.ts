// Binaryen is an optional peer of the package, because it is large: it is loaded when a module is to be instrumented.

import { setFlagsFromString } from 'node:v8';
import type binaryen from 'binaryen';

export const kBinaryen = 'binaryen@132';

/** How much of a function V8 runs before it optimizes it: of a short run most of the time went into optimizing Binaryen. */
const kBudget = 1_000_000_000;
/** The newest V8 that is known to have the option; another might complain of it on standard error. */
const kNewest = 14;

/** Undefined where it is not installed. */
export function loadBinaryen(): Promise<typeof binaryen | undefined> {
  return import('binaryen').then(
    (found) => found.default,
    () => undefined,
  );
}

/** For a process that does nothing else: the option holds for every module that is compiled after it. */
export function loadBinaryenAlone(): Promise<typeof binaryen | undefined> {
  try {
    if (Number.parseInt(process.versions.v8, 10) <= kNewest) setFlagsFromString(`--wasm-tiering-budget=${kBudget}`);
  } catch {} // not V8
  return loadBinaryen();
}
