// The program's calls as comma-separated values (RFC 4180), one line a row, names in the first.

import type { TraceFile } from '../trace/trace_file.ts';
import { columnsOf, kCallNames, programTable } from './program_table.ts';

export function writeCsv(file: TraceFile): string {
  const table = programTable(file);
  const columns = columnsOf(table);
  const names = Object.keys(columns);
  const lines = [names.join(',')];
  const { event, call, block, address, bytes, usable, live_bytes, live_blocks, footprint } = columns;
  for (let row = 0; row < table.count; ++row) {
    lines.push(
      `${event[row]},${kCallNames[call[row] ?? 0]},${block[row]},${address[row]},${bytes[row]},${usable[row]},${live_bytes[row]},${live_blocks[row]},${footprint[row]}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
