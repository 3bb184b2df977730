/**
 * heapglass/attach: the heap of a program that you have, shown as it runs.
 *
 * @example
 * import { attach } from 'heapglass/attach';
 * await attach(Module); // linked with $(npx heapglass --ldflags --profile trace)
 *
 * @packageDocumentation
 */

export {
  type Attachable,
  AttachError,
  type AttachErrorCode,
  type Attachment,
  type AttachOptions,
  attach,
  type TracedExports,
  type TracedModule,
  type TraceImports,
} from '../web/src/attach/attach.ts';
export type { LiveRecorder } from '../web/src/live/live_recorder.ts';
