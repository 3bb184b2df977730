// Files that commands read, and those that the package brings. Traces: traces.ts. What they write: write_out.ts.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pathOf } from './paths.ts';
import { fileProblem } from './problem.ts';

/** A file of the package, by its path in dist/. The bundled command lies in dist/bin. */
export const packaged = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export function readBytes(path: string, exitCode: number): Uint8Array {
  try {
    return readFileSync(pathOf(path));
  } catch (error) {
    throw fileProblem(error, path, exitCode);
  }
}
