// The recorder of what a user has: an Emscripten Module, a wasm instance or its exports, a traced heap of JavaScript, or a recorder.

import { recorderOfInstance } from '../instrument/loader.ts';
import { type AllocatorNames, recordExports } from '../instrument/recorded_exports.ts';
import { heapRecorder, type WatchedHeap } from '../live/heap_recorder.ts';
import type { LiveRecorder } from '../live/live_recorder.ts';
import { kTraceVersion } from '../protocol/event_layout.ts';
import type { Recorder } from '../record/recorder_types.ts';
import { AttachError } from './attach_error.ts';
import { exportsRecorder, type TracedExports, type TraceImports, tracedExports } from './exports_recorder.ts';

/** An Emscripten Module of a program linked with --profile trace or checked. */
export interface TracedModule {
  readonly heapglass?: Recorder;
}

/** What `attach` takes. */
export type Attachable =
  | TracedModule
  | WebAssembly.Instance
  | WebAssembly.WebAssemblyInstantiatedSource
  | TracedExports
  | WatchedHeap
  | LiveRecorder;

const kHowToLink = 'link the program with $(npx heapglass --ldflags --profile trace)';

export function recorderOf(
  target: Attachable,
  imports: TraceImports | undefined,
  names?: AllocatorNames | undefined,
): LiveRecorder {
  if (typeof target !== 'object' || target === null) {
    const what = `${target === null ? 'null' : typeof target} is nothing to attach to`;
    throw new AttachError('no_recorder', `${what}: it takes a Module, an instance, its exports or a traced heap`);
  }
  if (names !== undefined) return ofNamed(target, names);
  const instrumented = recorderOfInstance(target);
  if (instrumented !== undefined) return ofModule(instrumented);
  if ('heapglass' in target && isRecorder(target.heapglass)) return ofModule(target.heapglass);
  if (isRecorder(target)) return 'keep' in target ? ofModule(target as Recorder) : target;
  if ('instance' in target && target.instance instanceof WebAssembly.Instance) {
    return recorderOf(target.instance, imports);
  }
  if (target instanceof WebAssembly.Instance) return recorderOf(target.exports as unknown as TracedExports, imports);
  const traced = tracedExports(target);
  if (traced !== undefined) return exportsRecorder(traced, imports);
  if (isWatched(target)) return heapRecorder(target);
  if ('allocate' in target && 'mallocAs' in target) {
    throw new AttachError(
      'no_recorder',
      'this heap records nothing: make it by createHeap({ trace: true }) of heapglass/full',
    );
  }
  throw new AttachError('no_recorder', `there is no recorder in this module: ${kHowToLink}`);
}

/** Of functions that the program exports, as JavaScript calls them. */
function ofNamed(target: object, names: AllocatorNames): LiveRecorder {
  if (Object.isFrozen(target) || target instanceof WebAssembly.Instance) {
    const how =
      'recordExports(exports, ...) of heapglass/instrumented gives a copy to call, and its recorder to attach';
    throw new AttachError('no_recorder', `the exports of an instance cannot be replaced: ${how}`);
  }
  try {
    return ofModule(recordExports(target, names).recorder);
  } catch (error) {
    throw new AttachError('no_recorder', error instanceof Error ? error.message : String(error));
  }
}

const isRecorder = (it: unknown): it is LiveRecorder =>
  typeof (it as Partial<LiveRecorder> | undefined)?.subscribe === 'function' &&
  typeof (it as Partial<LiveRecorder>).drain === 'function';

const isWatched = (it: object): it is WatchedHeap => 'eventCount' in it && 'events' in it;

function ofModule(recorder: Recorder): LiveRecorder {
  const { version } = recorder;
  if (version !== 0 && version !== kTraceVersion) throw AttachError.ofVersion(version); // 0: no event yet
  return {
    drain: () => recorder.drain(),
    checkpoint: () => recorder.checkpoint(),
    // Who keeps nothing has no past to tell: its heap is walked.
    subscribe: (listener, { past = false } = {}) =>
      recorder.subscribe(listener, { past: past && recorder.keep !== 'none' }),
  };
}
