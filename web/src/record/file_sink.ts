// The files that recorders write under Node: what they are called, and how bytes get into them.
//
//  record.F3  The program that is recorded goes on where a file cannot be opened, written or closed: a line says so, and nothing is thrown.
//  record.F2  A linked program and instrumented modules count their files together: the second of a process gets a number in its name.

import type { TraceNotes } from '../trace/file_parts.ts';
import type { NodeProcess } from './node.ts';

/** The path of the next file, of HEAPGLASS_RECORD; `suffix`: of the thread. */
export function nextPath(process: NodeProcess, wanted: string, suffix = ''): string {
  const nth = (process.heapglassFiles ?? 0) + 1;
  process.heapglassFiles = nth;
  const whole = `${nth === 1 ? '' : `-${nth}`}${suffix}`;
  return whole === '' ? wanted : wanted.replace(/(\.[^./\\]*)?$/, `${whole}$1`);
}

/** What a file says of the program. */
export function notesOf(process: NodeProcess): TraceNotes {
  const title = (process.argv[1] ?? '').replace(/^.*[/\\]/, '');
  return title === '' ? {} : { title };
}

/** undefined, and a line that says so: it cannot be opened, and nothing is recorded. */
export function openTrace(process: NodeProcess, path: string): number | undefined {
  return unlessFails('nothing is recorded, the file cannot be opened', () =>
    process.getBuiltinModule('fs').openSync(path, 'w'),
  );
}

export function closeTrace(process: NodeProcess, file: number): void {
  unlessFails('the end of the file may be missing', () => process.getBuiltinModule('fs').closeSync(file));
}

function unlessFails<T>(what: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    console.error(`heapglass: ${what}: ${(error as Error).message}`);
    return undefined;
  }
}

function writePieces(process: NodeProcess, file: number, pieces: readonly Uint8Array[]): void {
  const fs = process.getBuiltinModule('fs');
  for (const bytes of pieces) for (let at = 0; at < bytes.length; ) at += fs.writeSync(file, bytes, at);
}

/** False, and a line that says so: it cannot be written. */
export function couldWrite(process: NodeProcess, file: number, pieces: readonly Uint8Array[]): boolean {
  return (
    unlessFails('recording ends, the file cannot be written', () => {
      writePieces(process, file, pieces);
      return true;
    }) ?? false
  );
}
