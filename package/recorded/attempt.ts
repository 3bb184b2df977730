// Work that may trap, or not end.

import { createContext, runInContext } from 'node:vm';

const kMilliseconds = 400;

/** Whether it gives true in that time. */
export function attempt(work: () => boolean, timeout = kMilliseconds): boolean {
  try {
    return runInContext('work()', createContext({ work }), { timeout }) === true;
  } catch {
    return false;
  }
}
