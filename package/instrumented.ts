/**
 * heapglass/instrumented: finished modules that `heapglass instrument` made, and exported allocators, recorded in a page. Import it before
 * whatever instantiates the module.
 *
 * @example
 * import { firstRecorder } from 'heapglass/instrumented';
 * import { attach } from 'heapglass/attach';
 * await attach(firstRecorder());
 *
 * @packageDocumentation
 */

export { firstRecorder, recorders, recordThreads } from '../web/src/instrument/installed.ts';
export type { InstrumentedRecorder } from '../web/src/instrument/instrumented_recorder.ts';
export { recorderOfInstance } from '../web/src/instrument/loader.ts';
export {
  type AllocatorNames,
  type RecordedExports,
  recordExports,
} from '../web/src/instrument/recorded_exports.ts';
