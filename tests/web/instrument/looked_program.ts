// A program with stacks that runs here, its paths so far, and how often the engine was asked for how many frames.

import binaryen from 'binaryen';
import type { InstrumentedRecorder } from '../../../web/src/instrument/instrumented_recorder.ts';
import { install } from '../../../web/src/instrument/loader.ts';
import { instrumentStacks } from '../../../web/src/instrument/stacks.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { sitesOf } from './sites_of.ts';

const errors = Error as { prepareStackTrace?: unknown };
const before = Object.getOwnPropertyDescriptor(errors, 'prepareStackTrace');
let end = () => {};

interface Frame {
  getScriptNameOrSourceURL(): string;
  getPosition(): number;
  toString(): string;
}

/** A frame as it stood before the context was set for its call. */
const kBytesBefore = 3;
const earlier = (frame: Frame): Frame => ({
  getScriptNameOrSourceURL: () => frame.getScriptNameOrSourceURL(),
  getPosition: () => frame.getPosition() - kBytesBefore,
  toString: () => String(frame),
});

/** Behind each test. */
export function endLooked(): void {
  end();
  delete errors.prepareStackTrace;
  if (before !== undefined) Object.defineProperty(errors, 'prepareStackTrace', before);
}

type Imports = Readonly<Record<string, () => void>>;
type Calls = Readonly<Record<string, (...words: readonly number[]) => unknown>>;
type Frames = readonly unknown[];

interface Options {
  /** With stacks, unless it says otherwise. */
  readonly instrumented?: (plain: Uint8Array) => Uint8Array;
  /** What is done to the module behind the instrumentation. */
  readonly changed?: (bytes: Uint8Array) => Uint8Array;
  readonly env?: Imports;
  readonly callers?: boolean;
  /** The engine says no offsets of frames but in texts. */
  readonly isInTexts?: boolean;
}

export function startLooked(
  text: string,
  { changed = (bytes) => bytes, env = {}, callers = false, isInTexts = false, instrumented }: Options = {},
) {
  endLooked();
  const plain = binaryen.parseText(text);
  const stacked = (original: Uint8Array) => instrumentStacks(binaryen, original, { callers }).binary;
  const bytes = changed((instrumented ?? stacked)(plain.emitBinary()));
  let recorder: InstrumentedRecorder | undefined;
  end = install({
    onRecorder(one) {
      recorder ??= one;
    },
  });
  let frames = 0;
  let looks = 0;
  let hidden: readonly number[] = [];
  let blurred: readonly number[] = [];
  let prepare: unknown;
  Object.defineProperty(errors, 'prepareStackTrace', {
    configurable: true,
    get: () => prepare,
    set(given: ((error: unknown, list: Frames) => unknown) | undefined) {
      if (given === undefined || isInTexts) prepare = undefined;
      else
        prepare = (error: unknown, list: Frames) => {
          frames += list.length;
          ++looks;
          return given(
            error,
            list.map((frame) =>
              isAmong(hidden, frame) ? list[0] : isAmong(blurred, frame) ? earlier(frame as Frame) : frame,
            ),
          ); // as many as were asked for: list[0] is JavaScript's
        };
    },
  });
  const isAmong = (functions: readonly number[], frame: unknown): boolean => {
    const [, index] = /\[(\d+)\]/.exec(String(frame)) ?? [];
    return index !== undefined && functions.includes(Number(index) - imports);
  };
  const again = () => {
    throw new Error('up to JavaScript');
  };
  const paths = () => {
    const decoded = decodeTraceFile(recorder?.trace() ?? new Uint8Array());
    if (!decoded.ok) throw new Error(decoded.error.message);
    const { entered, pathOf } = sitesOf(decoded.value.trace);
    return entered.map(pathOf);
  };
  const callsOf = (module: WebAssembly.Module, more: Imports): Calls =>
    new WebAssembly.Instance(module, { env: { again, __cxa_throw: again, between: () => {}, ...more } })
      .exports as Calls;
  const module = new WebAssembly.Module(Uint8Array.from(bytes));
  const imports = WebAssembly.Module.imports(module).length;
  const call = callsOf(module, env);
  return {
    call,
    /** What another module exports that was instrumented alike. */
    twin: (change: (bytes: Uint8Array) => Uint8Array, more: Imports): Calls =>
      callsOf(new WebAssembly.Module(Uint8Array.from(change(bytes))), more),
    /** The engine puts these functions into their callers from now on: by their numbers in the text, without imports. */
    hide(...functions: readonly number[]) {
      hidden = functions;
    },
    /** The engine says of these functions where they stood a little before their calls: V8 of 13.6, in blocks that catch. */
    blur(...functions: readonly number[]) {
      blurred = functions;
    },
    seen: () => ({ frames, looks }),
    paths,
    lengths: () => paths().map(({ length }) => length),
  };
}
