// The files that recorders write under Node: what they are called, and how bytes get into them.
//
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

export function writePieces(process: NodeProcess, file: number, pieces: readonly Uint8Array[]): void {
  const fs = process.getBuiltinModule('fs');
  for (const bytes of pieces) for (let at = 0; at < bytes.length; ) at += fs.writeSync(file, bytes, at);
}

/** The same where nothing may be thrown, as inside malloc: false, and a line that says so. */
export function couldWrite(process: NodeProcess, file: number, pieces: readonly Uint8Array[]): boolean {
  try {
    writePieces(process, file, pieces);
    return true;
  } catch (error) {
    console.error(`heapglass: recording ends, the file cannot be written: ${(error as Error).message}`);
    return false;
  }
}
