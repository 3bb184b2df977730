// The program's calls as a table for data tools: Arrow IPC (apache-arrow) and Parquet (hyparquet-writer). Both libraries
// are loaded when they are first asked for, so no page that does not export carries them.

import type { TraceFile } from '../trace/trace_file.ts';
import { columnsOf, kCallNames, programTable } from './program_table.ts';

const kMostSigned = 2 ** 31 - 1; // hyparquet-writer takes larger ones from plain arrays only

export async function writeArrow(file: TraceFile): Promise<Uint8Array> {
  const { tableFromArrays, tableToIPC, vectorFromArray, Dictionary, Utf8, Int8 } = await import('apache-arrow');
  const { call, ...numbers } = columnsOf(programTable(file));
  const names = vectorFromArray([...kCallNames], new Utf8());
  const { makeData, makeVector } = await import('apache-arrow');
  const calls = makeVector(
    makeData({ type: new Dictionary(new Utf8(), new Int8()), data: Int8Array.from(call), dictionary: names }),
  );
  return tableToIPC(tableFromArrays({ ...numbers, call: calls as never }), 'file');
}

export async function writeParquet(file: TraceFile): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const { call, ...numbers } = columnsOf(programTable(file));
  const columnData: { name: string; data: ArrayLike<unknown> }[] = [];
  const schema: unknown[] = [];
  for (const [name, data] of Object.entries(numbers)) {
    if (data instanceof Float64Array) {
      columnData.push({ name, data });
      schema.push({ name, type: 'DOUBLE', repetition_type: 'REQUIRED' });
    } else {
      columnData.push({ name, data: data.some((value) => value > kMostSigned) ? Array.from(data) : data });
      schema.push({ name, type: 'INT32', converted_type: 'UINT_32', repetition_type: 'REQUIRED' });
    }
  }
  columnData.push({ name: 'call', data: Array.from(call, (kind) => kCallNames[kind] ?? '') });
  schema.push({ name: 'call', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' });
  const root = { name: 'root', num_children: schema.length };
  return new Uint8Array(parquetWriteBuffer({ columnData, schema: [root, ...schema] } as never));
}
