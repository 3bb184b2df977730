// Gives instrumented modules their recorder, whoever instantiates them: Emscripten's glue, wasm-bindgen's, Node's WASI, your own.
//
//   WebAssembly.instantiate, instantiateStreaming, new WebAssembly.Instance
//      ├─ module with the section heapglass.recorder? ─▶ its recorder is instantiated, and its exports are added to the imports
//      └─ with heapglass.contexts? It records itself: only the table of its call stacks is (linked_sites.ts)
//
//  load.1  Modules without the section go through untouched.
//  load.2  An instance has one recorder of its own; a second instance of the same module another one.
//  load.3  Streams are compiled as streams; only then is looked what they are.
//  load.4  What was replaced is put back by the function that install() returns.

import { drawDistance, samplingText } from '../trace/sampling.ts';
import { InstrumentedRecorder, type RecorderExports } from './instrumented_recorder.ts';
import { linkedSites } from './linked_sites.ts';
import { kNamespace, kRecorderSection } from './recorder_names.ts';
import { siteAsker } from './site_writer.ts';

type Imports = WebAssembly.Imports | undefined;
type Source = BufferSource | WebAssembly.Module;

/** Told of each instance that records itself, before its first instruction runs. */
export type OnRecorder = (recorder: InstrumentedRecorder) => void;

/** One for all copies of this file in a page: heapglass/attach is another bundle than heapglass/instrumented. */
const kRecorders: WeakMap<object, InstrumentedRecorder> = sharedRecorders();

function sharedRecorders(): WeakMap<object, InstrumentedRecorder> {
  const key = Symbol.for('heapglass.recorders');
  const place = globalThis as unknown as Record<symbol, WeakMap<object, InstrumentedRecorder> | undefined>;
  const shared = place[key] ?? new WeakMap<object, InstrumentedRecorder>();
  place[key] = shared;
  return shared;
}

/** The recorder of an instance, or of its exports. */
export const recorderOfInstance = (it: object): InstrumentedRecorder | undefined => kRecorders.get(it);

interface Prepared {
  readonly imports: Imports;
  readonly recorder: InstrumentedRecorder | undefined;
  /** Of a program that records itself: told of its instance. */
  readonly connect?: (instance: WebAssembly.Instance) => void;
}

export function install(onRecorder: OnRecorder = () => {}): () => void {
  const wasm = WebAssembly;
  const before = {
    instantiate: wasm.instantiate,
    instantiateStreaming: wasm.instantiateStreaming,
    Instance: wasm.Instance,
  };

  const prepare = (module: WebAssembly.Module, imports: Imports): Prepared => {
    const [bytes] = wasm.Module.customSections(module, kRecorderSection);
    if (bytes === undefined) {
      const linked = linkedSites(module, before.Instance);
      if (linked === undefined) return { imports, recorder: undefined };
      return {
        imports: { ...imports, [kNamespace]: linked.imports },
        recorder: undefined,
        connect: linked.connect,
      };
    }
    let drain = () => {};
    let stack = () => 0;
    const given = { full: () => drain(), stack: () => stack(), distance: drawDistance };
    const own = new before.Instance(new wasm.Module(bytes), { [kNamespace]: given });
    const exports = own.exports as unknown as RecorderExports;
    const recorder = new InstrumentedRecorder(exports);
    drain = () => recorder.drain();
    stack = siteAsker(module, exports.put);
    onRecorder(recorder);
    if (exports.mean !== undefined) recorder.mark(samplingText(exports.mean.value));
    return { imports: { ...imports, [kNamespace]: own.exports }, recorder };
  };
  const remember = (instance: WebAssembly.Instance, { recorder, connect }: Prepared): WebAssembly.Instance => {
    connect?.(instance);
    if (recorder === undefined) return instance;
    kRecorders.set(instance, recorder);
    kRecorders.set(instance.exports, recorder);
    return instance;
  };
  const instantiateModule = async (module: WebAssembly.Module, imports: Imports): Promise<WebAssembly.Instance> => {
    const prepared = prepare(module, imports);
    return remember(await before.instantiate(module, prepared.imports), prepared);
  };

  async function instantiate(source: Source, imports?: Imports) {
    if (source instanceof wasm.Module) return instantiateModule(source, imports);
    const module = await wasm.compile(source);
    return { module, instance: await instantiateModule(module, imports) };
  }
  async function instantiateStreaming(source: Response | PromiseLike<Response>, imports?: Imports) {
    const module = await wasm.compileStreaming(source);
    return { module, instance: await instantiateModule(module, imports) };
  }
  const Instance = new Proxy(before.Instance, {
    construct(target, [module, imports]: [WebAssembly.Module, Imports]) {
      const prepared = prepare(module, imports);
      return remember(new target(module, prepared.imports), prepared);
    },
  });

  Object.assign(wasm, { instantiate, Instance });
  if (before.instantiateStreaming !== undefined) Object.assign(wasm, { instantiateStreaming });
  return () => Object.assign(wasm, before);
}
