// The parts of convert_time.mjs that the project has: the formats, a trace to convert, and how many events a file holds.

import { kFormats as kAll } from '../../../web/src/convert/formats.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';

export { makeTrace } from './make_trace.ts';

/** Those that can be written, with the extension that chooses each. */
export const kWritten = kAll
  .filter(({ write }) => write !== undefined)
  .map(({ name, extensions }) => ({ name, extension: extensions[0] ?? '' }));

export function countEvents(file: Uint8Array): number {
  const decoded = decodeTraceFile(file);
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value.trace.count;
}
