// A watched program (programs/watched) outside of the page: texts go in, lines come out. For tests, and for benches beside them.

import { instantiateShrinkable, type ShrinkableInstance } from '../../../web/src/shrink/shrink.ts';

const kMore = 1; // watched_program.h

type Exports = Record<'program_begin' | 'program_run', () => number> & {
  program_text(size: number): number;
  _initialize(): void;
  readonly memory: WebAssembly.Memory;
};

export interface OpenProgram<Instance = ShrinkableInstance> {
  readonly instance: Instance;
  /** Runs one text. */
  type(text: string): void;
  /** What it printed. */
  readonly printed: string[];
}

type Start<Instance> = (bytes: Uint8Array<ArrayBuffer>, imports: WebAssembly.Imports) => Promise<Instance>;

/** Starts it so that its memory can go back. */
export const openTextProgram = (bytes: Uint8Array<ArrayBuffer>): Promise<OpenProgram> =>
  openTextProgramBy(instantiateShrinkable, bytes);

export async function openTextProgramBy<Instance extends { readonly exports: object }>(
  start: Start<Instance>,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<OpenProgram<Instance>> {
  const printed: string[] = [];
  let exports: Exports | undefined;
  let moments = 0;
  let high = 0;
  const view = () => new DataView((exports as Exports).memory.buffer);
  const decoder = new TextDecoder();
  const ours: Record<string, Record<string, (...words: never[]) => unknown>> = {
    env: {
      emscripten_notify_memory_growth: () => undefined,
      getTempRet0: () => high,
      setTempRet0: (value: number) => {
        high = value;
      },
    },
    program: {
      print: (_kind: number, at: number, size: number) =>
        printed.push(decoder.decode(new Uint8Array(view().buffer, at >>> 0, size))),
    },
    wasi_snapshot_preview1: {
      clock_time_get: (_clock: number, _precision: bigint, out: number) => {
        view().setBigUint64(out, BigInt(++moments), true);
        return 0;
      },
      environ_sizes_get: (count: number, bytes: number) => {
        for (const at of [count, bytes]) view().setUint32(at, 0, true);
        return 0;
      },
      environ_get: () => 0,
    },
  };
  for (const { module, name, kind } of WebAssembly.Module.imports(new WebAssembly.Module(bytes))) {
    if (kind !== 'function') continue;
    const group = ours[module] ?? {};
    ours[module] = group;
    group[name] ??= () => {
      throw new WebAssembly.RuntimeError(`the program called ${module}.${name}`);
    };
  }
  const instance = await start(bytes, ours as unknown as WebAssembly.Imports);
  exports = instance.exports as unknown as Exports;
  exports._initialize();
  if (exports.program_begin() !== 0) throw new Error('the program did not begin');
  const type = (text: string): void => {
    const encoded = new TextEncoder().encode(text);
    const at = (exports as Exports).program_text(encoded.length) >>> 0;
    new Uint8Array((exports as Exports).memory.buffer, at, encoded.length).set(encoded);
    while ((exports as Exports).program_run() === kMore);
  };
  return { instance, type, printed };
}
