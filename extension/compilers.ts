// The browser's compilers of wasm, replaced by ones that compile the recorded form of a module (recording.ts: re.2, re.3).

import { kNamespace } from '../web/src/instrument/recorder_names.ts';

export interface Compilers {
  /** The recorded form, or the bytes as they are. */
  readonly recorded: (bytes: Uint8Array<ArrayBuffer>, name: string) => Promise<Uint8Array<ArrayBuffer>>;
  readonly problem: (text: string) => void;
}

const kUnnamed = 'a module';
const kLeastBytes = 4096; // below it are modules that try whether the browser has a feature

export function replaceCompilers({ recorded, problem }: Compilers): void {
  const wasm = WebAssembly;
  const plain = { compile: wasm.compile, compileStreaming: wasm.compileStreaming, Module: wasm.Module };
  async function compile(source: BufferSource, ...options: []) {
    return plain.compile(await recorded(copyOf(source), kUnnamed), ...options);
  }
  async function compileStreaming(source: Response | PromiseLike<Response>, ...options: []) {
    const response = await source;
    if (!isWasm(response)) return plain.compileStreaming(response, ...options); // re.3
    const bytes = new Uint8Array(await response.arrayBuffer());
    return plain.compile(await recorded(bytes, nameOf(response.url)), ...options);
  }
  const Module = new Proxy(plain.Module, {
    construct(target, args: [BufferSource], made) {
      const module: WebAssembly.Module = Reflect.construct(target, args, made);
      if (args[0].byteLength >= kLeastBytes && !isRecorder(module))
        problem('A module was compiled by new WebAssembly.Module(), which does not wait: it is not recorded.');
      return module;
    },
  });
  Object.assign(wasm, { compile, compileStreaming, Module });
}

const isRecorder = (module: WebAssembly.Module): boolean =>
  WebAssembly.Module.imports(module).some((it) => it.module === kNamespace);

function copyOf(source: BufferSource): Uint8Array<ArrayBuffer> {
  const view = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  return view.slice();
}

const isWasm = (response: Response): boolean =>
  response.ok && /^application\/wasm\b/i.test(response.headers.get('content-type') ?? '');

const nameOf = (address: string): string =>
  address
    .replace(/[?#].*$/, '')
    .split('/')
    .pop() || kUnnamed;
