/**
 * heapglass/trace: reading what a traced heap wrote, and the heap as it was at any event. Needs no wasm.
 *
 * @example
 * const file = decodeTraceFile(readFileSync('run.hgtrace')); // or any other view of bytes
 * if (!file.ok) throw new Error(file.error.message);
 * const model = new Model(file.value.trace);
 * model.history.fold(); // model.head.state is the heap at the end
 * const { state } = model.at(1000); // the heap after 1000 events
 * console.log(decodeEvent(model.trace, 1000), state.inUse);
 *
 * @packageDocumentation
 */

export { walkModel } from '../web/src/model/state/walk.ts';
export { Model } from '../web/src/model/time/model.ts';
export {
  EventKind,
  kEventFields,
  kEventNames,
  kOpNames,
  kStatusTexts,
  kTraceVersion,
  Op,
  Status,
  WalkKind,
} from '../web/src/protocol/event_layout.ts';
export { decodeEvent, type Event } from '../web/src/trace/decode.ts';
export { OperationIndex } from '../web/src/trace/operations.ts';
export { MarkCode, nameOfMark, textBefore, textRecords } from '../web/src/trace/texts.ts';
export { detailOf, heapOf, kindOf, Trace } from '../web/src/trace/trace.ts';
export {
  decodeTraceFile,
  decodeTraceRange,
  encodeTraceFile,
  packRecords,
  readTraceIndex,
  type SegmentPlace,
  type TraceFile,
  type TraceFileError,
  type TraceFileHeader,
  TraceFileReader,
  TraceFileWriter,
  type TraceFileWriterOptions,
  type TraceIndex,
  type TraceNotes,
  type TraceSource,
} from '../web/src/trace/trace_file.ts';
