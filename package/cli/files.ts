// Files that commands read, and those that the package brings. What they write: write_out.ts.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { samplingMean } from '../../web/src/trace/sampling.ts';
import { decodeTraceFile, type TraceFile } from '../../web/src/trace/trace_file.ts';
import { pathOf } from './paths.ts';
import { fileProblem, Problem } from './problem.ts';

/** A file of the package, by its path in dist/. The bundled command lies in dist/bin. */
export const packaged = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export interface NamedTrace {
  readonly name: string;
  readonly file: TraceFile;
}

export async function readTrace(path: string, exitCode: number): Promise<NamedTrace> {
  const decoded = decodeTraceFile(readBytes(path, exitCode));
  if (!decoded.ok) {
    const { problem, message } = decoded.error;
    const hint = problem === 'not_a_trace' && !message.includes('heapglass convert') ? await hintFor(path) : '';
    throw new Problem(`"${path}": ${message}${hint}`, exitCode);
  }
  return { name: basename(path), file: decoded.value };
}

/** A command that sums what is in a trace has no answer where only a sample of the blocks is. */
export function refuseSample(path: string, { trace }: TraceFile, exitCode: number, what: string): void {
  if (samplingMean(trace) === undefined) return;
  throw new Problem(
    `"${path}" has a sample of the blocks only, and ${what}; heapglass report estimates by it`,
    exitCode,
  );
}

/** What another tool recorded can be made into a trace. */
async function hintFor(path: string): Promise<string> {
  const { formatOf } = await import('../../web/src/convert/formats.ts');
  const { name } = formatOf(path, 'read') ?? {};
  const makes = `heapglass convert ${path} out.hgtrace makes one of it`;
  return name === undefined || name === 'hgtrace' ? '' : `; ${makes}`;
}

export function readBytes(path: string, exitCode: number): Uint8Array {
  try {
    return readFileSync(pathOf(path));
  } catch (error) {
    throw fileProblem(error, path, exitCode);
  }
}
