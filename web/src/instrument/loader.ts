// Gives instrumented modules their recorder, whoever instantiates them: Emscripten's glue, wasm-bindgen's, Node's WASI, your own.
//
//   WebAssembly.instantiate, instantiateStreaming, new WebAssembly.Instance
//      ├─ module with the section heapglass.recorder? ─▶ its recorder is instantiated, and its exports are added to the imports
//      └─ with heapglass.contexts? It records itself: only the table of its call stacks is (linked_sites.ts)
//
//  load.1  Modules without the section go through untouched.
//  load.2  An instance has one recorder of its own; a second instance of the same module another one.
//  load.3  Streams are compiled as streams; only then is looked what they are.
//  load.5  With threads each thread's instance has its recorder, all on one memory (shared_layout.ts). It must be the same in every thread,
//          before it is known which module it will be for: so it is made first, and the first module with threads that comes has it. Of
//          another, or of a second instance, nothing is recorded, because a thread could not say which of them it belongs to.
//  load.4  What was replaced is put back by the function that install() returns; what follows handles stays (handles/watch.ts).

import { handleWatch, scriptAbove } from '../handles/watch.ts';
import { drawDistance, samplingText } from '../trace/sampling.ts';
import { kCalledName } from './callers.ts';
import { type InstrumentedRecorder, instrumentedRecorder } from './instrumented_recorder.ts';
import { linkedSites } from './linked_sites.ts';
import { kNamespace, kRecorderSection, kRingRecords, kThreadsSection } from './recorder_names.ts';
import { type RingExports, RingSource } from './recorder_source.ts';
import { makeSharedMemory } from './shared_layout.ts';
import { SharedSource } from './shared_source.ts';
import { type SiteAsker, siteAsker } from './site_writer.ts';
import { type MadeRecorder, ThreadRecorders } from './thread_recorders.ts';

type Imports = WebAssembly.Imports | undefined;
type Source = BufferSource | WebAssembly.Module;

/** Called for each instance that records itself, before its first instruction runs; `shared`: of one thread of several. */
export type OnRecorder = (recorder: InstrumentedRecorder, shared: SharedSource | undefined) => void;

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

function ofOneThread(exports: WebAssembly.Exports): MadeRecorder {
  const ring = exports as unknown as RingExports;
  return { exports: ring, source: new RingSource(ring, kRingRecords) };
}

const idIn = (bytes: ArrayBuffer): number => new DataView(bytes).getInt32(0, true);

/** For an instance that nobody records: imports that do nothing. */
function silent(module: WebAssembly.Module): WebAssembly.ModuleImports {
  const wanted = WebAssembly.Module.imports(module).filter((it) => it.module === kNamespace);
  const nothing = ({ name, kind }: WebAssembly.ModuleImportDescriptor): [string, WebAssembly.ImportValue] => [
    name,
    kind === 'function'
      ? () => (name === kCalledName ? 1n : 0)
      : new WebAssembly.Global({ value: 'i64', mutable: true }, kNever),
  ];
  return Object.fromEntries(wanted.map(nothing));
}
const kNever = 2n ** 62n; // a countdown that does not end

interface Prepared {
  readonly imports: Imports;
  readonly recorder: InstrumentedRecorder | undefined;
  /** Of a program that records itself: to be called with its instance. */
  readonly connect?: (instance: WebAssembly.Instance) => void;
}

export interface LoaderOptions {
  readonly onRecorder?: OnRecorder;
  /** The one of all threads; asked for when a module with threads comes. */
  readonly sharedMemory?: () => WebAssembly.Memory;
  /** Whether this realm is a thread of a module whose events another one takes; asked when a module with threads has come. */
  readonly isThread?: () => boolean;
  /** Not, in a thread of several of one module: the numbers of handles are those of one thread. */
  readonly followsHandles?: boolean;
}

export function install(options: LoaderOptions = {}): () => void {
  const { onRecorder = () => {}, sharedMemory = makeSharedMemory, followsHandles = true } = options;
  const wasm = WebAssembly;
  const before = {
    instantiate: wasm.instantiate,
    instantiateStreaming: wasm.instantiateStreaming,
    Instance: wasm.Instance,
  };
  const threads = new ThreadRecorders(sharedMemory);
  const handles = handleWatch();

  const prepare = (module: WebAssembly.Module, imports: Imports, glue: string): Prepared => {
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
    let asker: SiteAsker = { stack: () => 0, caller: () => 1n };
    const given = {
      full: () => drain(),
      stack: (context?: bigint) => asker.stack(context),
      caller: () => asker.caller(),
      distance: drawDistance,
    };
    const recorderModule = new wasm.Module(bytes);
    const make = (more: WebAssembly.ModuleImports): WebAssembly.Exports =>
      new before.Instance(recorderModule, { [kNamespace]: { ...given, ...more } }).exports;
    const [idBytes] = wasm.Module.customSections(module, kThreadsSection);
    const made = idBytes === undefined ? ofOneThread(make({})) : threads.begin(make, idIn(idBytes));
    if (made === undefined) return { imports: { ...imports, [kNamespace]: silent(module) }, recorder: undefined };
    const { exports, source, numbers } = made;
    const recorder = instrumentedRecorder(source);
    const isAlone = !(source instanceof SharedSource);
    const isOwn = isAlone || !options.isThread?.();
    if (isOwn) {
      drain = () => {
        if (source.isToBeTaken()) recorder.drain();
      };
    }
    asker = siteAsker(module, exports.put, { glue, placed: handles.placed }, numbers);
    onRecorder(recorder, source instanceof SharedSource ? source : undefined);
    const { mean } = exports;
    if (mean === undefined && isOwn && (isAlone || followsHandles)) handles.add(recorder, glue);
    if (mean !== undefined && recorder.count === 0) recorder.mark(samplingText(mean.value));
    return { imports: { ...imports, [kNamespace]: exports as unknown as WebAssembly.ModuleImports }, recorder };
  };
  const remember = (instance: WebAssembly.Instance, { recorder, connect }: Prepared): WebAssembly.Instance => {
    connect?.(instance);
    if (recorder === undefined) return instance;
    kRecorders.set(instance, recorder);
    kRecorders.set(instance.exports, recorder);
    return instance;
  };
  const instantiateModule = async (
    module: WebAssembly.Module,
    imports: Imports,
    glue: string,
  ): Promise<WebAssembly.Instance> => {
    const prepared = prepare(module, imports, glue);
    return remember(await before.instantiate(module, prepared.imports), prepared);
  };

  async function instantiate(source: Source, imports?: Imports) {
    const glue = scriptAbove(1);
    if (source instanceof wasm.Module) return instantiateModule(source, imports, glue);
    const module = await wasm.compile(source);
    return { module, instance: await instantiateModule(module, imports, glue) };
  }
  async function instantiateStreaming(source: Response | PromiseLike<Response>, imports?: Imports) {
    const glue = scriptAbove(1);
    const module = await wasm.compileStreaming(source);
    return { module, instance: await instantiateModule(module, imports, glue) };
  }
  const Instance = new Proxy(before.Instance, {
    construct(target, [module, imports]: [WebAssembly.Module, Imports]) {
      const prepared = prepare(module, imports, scriptAbove(1));
      return remember(new target(module, prepared.imports), prepared);
    },
  });

  Object.assign(wasm, { instantiate, Instance });
  if (before.instantiateStreaming !== undefined) Object.assign(wasm, { instantiateStreaming });
  return () => Object.assign(wasm, before);
}
