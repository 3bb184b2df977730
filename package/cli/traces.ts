// Traces that commands read.

import { basename } from 'node:path';
import { samplingMean } from '../../web/src/trace/sampling.ts';
import { decodeTraceFile, type TraceFile } from '../../web/src/trace/trace_file.ts';
import { readBytes } from './files.ts';
import { Problem } from './problem.ts';

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
