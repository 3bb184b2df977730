// A linked program, as its own JavaScript sees it: the only file that knows Emscripten's names. The bundle of this folder is put into
// that JavaScript (tools/build_recorder.mjs), where the names below are found.
//
//  linked.J1  No view on memory outlives a function: growth would detach it.
//  linked.J2  For Emscripten 3.1.6 and newer: no syntax newer than 2018 is left in the bundle, no destructuring (the optimizer of 3.1.6
//      loses it in loops) and no classes. The build proves it.
//  linked.J3  The program's functions are called as bare exports where their names are whole: with ASSERTIONS the others end the process
//      when the runtime has ended, but a timer may come after that, and the records can still be read.

import type { Recorder, RecorderOptions } from '../recorder_types.ts';

type Call = (...given: number[]) => number;

/** For heapglass/shrink, whose script is in the same scope: its memory is copied, and set back later (set_back.ts). */
export interface SetBack {
  /** Directly behind a copy, which has this number. */
  kept(number: number): void;
  /** Takes what waits, and then nothing up to the call of what it gives, also where the program is interrupted (record.W1). */
  hold(): () => void;
  /** Directly before memory is set back; the function is called behind that, in place of hg_memory_moved(end). */
  before(): (number: number, end: number) => void;
}

/** What the program's imports heapglass_begin and heapglass_take call. */
export interface Imports {
  begin(ring: number, state: number): number;
  take(ring: number, state: number): void;
  wrappers(): unknown[];
  setBack?: SetBack;
}

declare const Module: { asm?: Record<string, Call>; heapglass?: Recorder; heapglassOptions?: RecorderOptions };
declare const wasmMemory: { readonly buffer: ArrayBufferLike };
declare const wasmExports: Record<string, Call> | undefined;
declare const ENVIRONMENT_IS_PTHREAD: boolean | undefined;
declare const ENVIRONMENT_IS_WASM_WORKER: boolean | undefined;
declare const heapglassRecorder: Imports;
declare const _hg_recorder_take: Call;
declare const _hg_recorder_snapshot: Call;
declare const _hg_recorder_checkpoint: Call;
declare const _hg_recorder_text: Call;
declare const _hg_recorder_mark: Call;
declare const _hg_recorder_kept: Call;
declare const _hg_recorder_reset: Call;
declare const _hg_recorder_pause: Call;
declare const _hg_recorder_resume: Call;
declare const _hg_recorder_enter: Call;
declare const _hg_recorder_leave: Call;
declare const _hg_recorder_begin_sites: Call;
declare const _hg_recorder_number: Call;
declare const _hg_recorder_put: Call;
declare const _hg_malloc: Call;
declare const _hg_calloc: Call;
declare const _hg_realloc: Call;
declare const _hg_memalign: Call;

export const hasThreads: boolean = typeof ENVIRONMENT_IS_PTHREAD !== 'undefined';

/** This is not the thread that loaded the module. */
export const isThread: boolean =
  (typeof ENVIRONMENT_IS_PTHREAD !== 'undefined' && !!ENVIRONMENT_IS_PTHREAD) ||
  (typeof ENVIRONMENT_IS_WASM_WORKER !== 'undefined' && !!ENVIRONMENT_IS_WASM_WORKER);

export const memoryWords = (): Uint32Array => new Uint32Array(wasmMemory.buffer);
export const memoryBytes = (): Uint8Array => new Uint8Array(wasmMemory.buffer);

/** linked.J3 */
function bare(name: string, wrapped: Call): Call {
  const all = typeof wasmExports !== 'undefined' ? wasmExports : Module['asm'] || {};
  return all[name] || wrapped;
}

let isAskedFor = false;
/** JavaScript wants what is in the ring; else the program's malloc has found it full. */
export const isTakeAskedFor = (): boolean => isAskedFor;

/** Its functions (core/src/abi/wasm_recorder.cpp). */
export const program = {
  /** 0: another thread, which may have died, has held the lock for long. */
  take(): number {
    isAskedFor = true;
    try {
      return bare('hg_recorder_take', _hg_recorder_take)();
    } finally {
      isAskedFor = false;
    }
  },
  snapshot: (): number => bare('hg_recorder_snapshot', _hg_recorder_snapshot)(),
  checkpoint: (): number => bare('hg_recorder_checkpoint', _hg_recorder_checkpoint)(),
  text: (): number => bare('hg_recorder_text', _hg_recorder_text)(),
  mark: (): number => bare('hg_recorder_mark', _hg_recorder_mark)(),
  kept: (number: number): number => bare('hg_recorder_kept', _hg_recorder_kept)(number),
  reset: (number: number, end: number): number => bare('hg_recorder_reset', _hg_recorder_reset)(number, end),
  pause: (): number => bare('hg_recorder_pause', _hg_recorder_pause)(),
  resume: (): number => bare('hg_recorder_resume', _hg_recorder_resume)(),
};

export const givenOptions = (): RecorderOptions => Module['heapglassOptions'] || {};

export function publish(recorder: Recorder): void {
  Module['heapglass'] = recorder;
}

export function connect(imports: Pick<Imports, 'begin' | 'take' | 'setBack'>): void {
  heapglassRecorder.begin = imports.begin;
  heapglassRecorder.take = imports.take;
  if (imports.setBack !== undefined) heapglassRecorder.setBack = imports.setBack;
  // Nothing here calls them: named, so that the optimizer of -O3 leaves them for what `heapglass instrument --stacks` adds.
  heapglassRecorder.wrappers = () => [
    _hg_recorder_enter,
    _hg_recorder_leave,
    _hg_recorder_begin_sites,
    _hg_recorder_number,
    _hg_recorder_put,
    _hg_malloc,
    _hg_calloc,
    _hg_realloc,
    _hg_memalign,
  ];
}
