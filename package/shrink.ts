/**
 * heapglass/shrink: memory of linked programs that goes back.
 *
 * @example
 * import { autoShrink, shrink } from 'heapglass/shrink';
 * await shrink(Module); // linked with $(npx heapglass --ldflags --shrink)
 * autoShrink(Module, { above: 2, idle: 5000 });
 *
 * @packageDocumentation
 */

export type { AutoShrinkOptions, ProgramMemory } from '../web/src/shrink/program_memory.ts';
export {
  autoShrink,
  checkpoint,
  instantiateShrinkable,
  reset,
  restore,
  returnable,
  type ShrinkableInstance,
  type ShrinkableModule,
  shrink,
  snapshot,
} from '../web/src/shrink/shrink.ts';
export type { ShrinkError, ShrinkErrorCode, Shrunk } from '../web/src/shrink/shrunk.ts';
