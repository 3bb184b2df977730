// What a trace can be made into, and what can be made into one. heapglass convert takes its list from here.

import { failure, type Result, success } from '../base/result.ts';
import type { WasmSource } from '../heap/heap_types.ts';
import type { OperationList } from '../replay/operation_list.ts';
import { replayOperations } from '../replay/traced_replay.ts';
import { decodeTraceFile, encodeTraceFile, type TraceFile } from '../trace/trace_file.ts';
import { writeChromeTrace } from './chrome_trace.ts';
import { writeCsv } from './csv.ts';
import { writeDhat } from './dhat.ts';
import { readHeaptrack } from './heaptrack.ts';
import { readOperationList } from './operation_lists.ts';
import { readPyTorchSnapshot } from './pytorch.ts';
import { writeSpeedscope } from './speedscope.ts';
import { writeArrow, writeParquet } from './tables.ts';

export interface ReadOptions {
  /** Title of the trace. */
  readonly name?: string;
  /** The traced heap's module, where it is not beside this script. */
  readonly wasm?: WasmSource;
}

export interface Format {
  readonly name: string;
  /** One line for a list of formats. */
  readonly what: string;
  /** With their dot; the first is what is written. */
  readonly extensions: readonly string[];
  /** A sentence when the bytes are none of this format. */
  readonly read?: (bytes: Uint8Array, options?: ReadOptions) => Promise<Result<TraceFile, string>>;
  readonly write?: (file: TraceFile) => Promise<Uint8Array | string>;
}

export const kFormats: readonly Format[] = [
  {
    name: 'hgtrace',
    what: 'a heapglass trace',
    extensions: ['.hgtrace'],
    read: async (bytes) => {
      const decoded = decodeTraceFile(bytes);
      return decoded.ok ? decoded : failure(decoded.error.message);
    },
    write: async ({ trace, wordSize, notes }) => new Uint8Array(encodeTraceFile(trace, wordSize, notes)),
  },
  {
    name: 'csv',
    what: "the program's calls as comma-separated values; reads lists of operations (op,id,size[,align])",
    extensions: ['.csv'],
    read: (bytes, options) => replayedText(bytes, readOperationList, options),
    write: async (file) => writeCsv(file),
  },
  {
    name: 'rep',
    what: 'a list of operations as of malloclab: a id size, r id size, f id',
    extensions: ['.rep'],
    read: (bytes, options) => replayedText(bytes, readOperationList, options),
  },
  {
    name: 'heaptrack',
    what: "heaptrack's interpreted text, replayed",
    extensions: ['.heaptrack', '.heaptrack.txt'],
    read: (bytes, options) => replayedText(bytes, readHeaptrack, options),
  },
  {
    name: 'pytorch',
    what: 'a PyTorch memory snapshot (torch.cuda.memory._dump_snapshot): its segments and blocks, and its history',
    extensions: ['.pickle', '.pkl'],
    read: async (bytes, options) => {
      const snapshot = readPyTorchSnapshot(bytes);
      if (!snapshot.ok) return snapshot;
      const notes = { title: options?.name ?? 'PyTorch snapshot' };
      const { trace, notice } = snapshot.value;
      return success({ trace, wordSize: 4, traceVersion: trace.version, notes, notice });
    },
  },
  {
    name: 'chrome',
    what: 'Chrome trace events as JSON, for Perfetto and speedscope',
    extensions: ['.trace.json', '.json'],
    write: async (file) => writeChromeTrace(file),
  },
  {
    name: 'dhat',
    what: "DHAT's file, for valgrind's dh_view.html",
    extensions: ['.dhat.json'],
    write: async (file) => writeDhat(file),
  },
  {
    name: 'pprof',
    what: 'a pprof profile of the call sites, for go tool pprof and Grafana',
    extensions: ['.pb.gz'],
    write: async (file) => (await import('./pprof.ts')).writePprof(file),
  },
  {
    name: 'speedscope',
    what: 'a speedscope profile of the call sites',
    extensions: ['.speedscope.json'],
    write: async (file) => writeSpeedscope(file),
  },
  {
    name: 'arrow',
    what: 'an Apache Arrow IPC file of the calls',
    extensions: ['.arrow'],
    write: (file) => writeArrow(file),
  },
  {
    name: 'parquet',
    what: 'an Apache Parquet file of the calls',
    extensions: ['.parquet'],
    write: (file) => writeParquet(file),
  },
];

/** The format of a file by its name: the longest extension that fits. */
export function formatOf(name: string, can: 'read' | 'write'): Format | undefined {
  const fits = kFormats
    .filter((format) => format[can] !== undefined)
    .flatMap((format) => format.extensions.map((extension) => ({ format, extension })))
    .filter(({ extension }) => name.toLowerCase().endsWith(extension));
  return fits.sort((one, other) => other.extension.length - one.extension.length)[0]?.format;
}

async function replayedText(
  bytes: Uint8Array,
  read: (text: string) => Result<OperationList, string>,
  { name, wasm }: ReadOptions = {},
): Promise<Result<TraceFile, string>> {
  const list = read(new TextDecoder().decode(bytes));
  if (!list.ok) return list;
  const replayed = await replayOperations(list.value.words(), { wasm });
  const { trace, wordSize, notice } = replayed;
  return success({ trace, wordSize, traceVersion: trace.version, notes: { title: name ?? 'operations' }, notice });
}
