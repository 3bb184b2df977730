// The engine's compilers of wasm, replaced by ones that compile the recorded form of a module.
//
//   compile, compileStreaming, new Module ─▶ bytes ─▶ recorded ─▶ bytes of the recorded form ─▶ the engine's own compiler
//        ▲ instantiate, instantiateStreaming (loader.ts)
//
//  compile.1  Every module comes by here, whatever it comes from: a file, a script, a database. And only in a realm that has this is a
//             module changed: an instrumented module does not load where nobody gives it its recorder.
//  compile.2  What the engine would refuse, such as an answer that is not of wasm's type, goes to it as it came.
//  compile.4  A module with threads runs in other realms, too. Where their workers do not all get the recorder, it stays as it is.
//  compile.3  `new WebAssembly.Module` does not wait. Small ones only try whether the engine has a feature: they stay as they are.

import { framesOf, stackText } from '../handles/stack_frames.ts';
import { kNamespace, kThreadsSection } from './recorder_names.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface CompiledModule {
  readonly bytes: Bytes;
  /** Where the page had it from; undefined: from nowhere that is known. */
  readonly address: string | undefined;
  /** Addresses of the scripts that compile it, the innermost first. */
  readonly scripts: readonly string[];
}

export interface Compilers {
  /** The recorded form, or the bytes as they are. */
  readonly recorded: (module: CompiledModule) => Promise<Bytes>;
  /** The same at once; without it such a module is a problem. */
  readonly recordedAtOnce?: (module: CompiledModule) => Bytes;
  readonly problem: (text: string) => void;
  /** compile.4: whether each worker that this realm makes gets the recorder before its own script. Known at once for modules that do not wait. */
  readonly followsThreads: () => boolean | Promise<boolean>;
}

const kLeastBytes = 4096; // compile.3
const kMostFrames = 16;

export function replaceCompilers({ recorded, recordedAtOnce, problem, followsThreads }: Compilers): void {
  const wasm = WebAssembly;
  const plain = { compile: wasm.compile, compileStreaming: wasm.compileStreaming, Module: wasm.Module };
  const addressOf = rememberAddresses();
  const moduleOf = (source: BufferSource): CompiledModule => ({
    bytes: copyOf(source),
    address: addressOf(source),
    scripts: scriptsHere(),
  });

  const stays = (module: CompiledModule) =>
    problem(
      `${nameOf(module)} has threads, and the workers that are made here cannot be recorded: it is not recorded.`,
    );

  async function compileRecorded(module: CompiledModule, ...options: []) {
    const bytes = await recorded(module);
    const made = await plain.compile(bytes, ...options);
    if (bytes === module.bytes || !hasThreads(made) || (await followsThreads())) return made;
    stays(module);
    return plain.compile(module.bytes, ...options);
  }
  async function compile(source: BufferSource, ...options: []) {
    return compileRecorded(moduleOf(source), ...options);
  }
  async function compileStreaming(source: Response | PromiseLike<Response>, ...options: []) {
    const scripts = scriptsHere();
    const response = await source;
    if (!isWasm(response)) return plain.compileStreaming(response, ...options); // compile.2
    const bytes = new Uint8Array(await response.arrayBuffer());
    return compileRecorded({ bytes, address: placeOf(response), scripts }, ...options);
  }
  const Module = new Proxy(plain.Module, {
    construct(target, args: [BufferSource], made) {
      const module: WebAssembly.Module = Reflect.construct(target, args, made);
      if (args[0].byteLength < kLeastBytes || isOfHeapglass(module)) return module;
      if (recordedAtOnce === undefined) {
        problem('A module was compiled by new WebAssembly.Module(), which does not wait: it is not recorded.');
        return module;
      }
      const plainModule = moduleOf(args[0]);
      const known: WebAssembly.Module = Reflect.construct(target, [recordedAtOnce(plainModule)], made);
      if (!hasThreads(known) || followsThreads() === true) return known;
      stays(plainModule);
      return module;
    },
  });
  Object.assign(wasm, { compile, Module });
  if (plain.compileStreaming !== undefined) Object.assign(wasm, { compileStreaming });
}

/** A recorder, or a module that has one. */
const isOfHeapglass = (module: WebAssembly.Module): boolean =>
  WebAssembly.Module.imports(module).some((it) => it.module === kNamespace);

const hasThreads = (module: WebAssembly.Module): boolean =>
  WebAssembly.Module.customSections(module, kThreadsSection).length > 0;

/** From where the bytes of answers are. */
function rememberAddresses(): (source: BufferSource) => string | undefined {
  const addresses = new WeakMap<ArrayBufferLike, string | undefined>();
  const { arrayBuffer } = Response.prototype;
  Response.prototype.arrayBuffer = async function (this: Response) {
    const buffer = await arrayBuffer.call(this);
    addresses.set(buffer, placeOf(this));
    return buffer;
  };
  return (source) => addresses.get(ArrayBuffer.isView(source) ? source.buffer : source);
}

const placeOf = ({ url }: Response): string | undefined => (/^(?:data|blob):|^$/.test(url) ? undefined : url);

function scriptsHere(): readonly string[] {
  const files = framesOf(stackText(1, kMostFrames), kMostFrames).map(({ file }) => file);
  return [...new Set(files)].filter((file) => URL.canParse(file));
}

function copyOf(source: BufferSource): Bytes {
  const view = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  return view.slice();
}

const isWasm = (response: Response): boolean =>
  response.ok && /^application\/wasm\b/i.test(response.headers.get('content-type') ?? '');

/** What people call it. */
export const nameOf = ({ address = '' }: CompiledModule): string =>
  address
    .replace(/[?#].*$/, '')
    .split('/')
    .pop() || 'a module';
