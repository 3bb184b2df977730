// From options to a heap: the options, proved; then the module, then the heap. Where modules come from is the caller's to say.

import { alignmentOf, badArgument, type Check, checkOptions, isBoolean, isSize } from './arguments.ts';
import { TracedWasmHeap, WasmHeap } from './heap.ts';
import { HeapError } from './heap_error.ts';
import { type HeapModule, loadHeapModule, type ModuleFinder, noHeap } from './heap_module.ts';
import { imageOf, optionsOf, type Snapshot, sizeText, snapshotOf } from './heap_snapshot.ts';
import type { Heap, HeapOptions, HeapShare } from './heap_types.ts';
import { WasmMemoryPool } from './memory_pool.ts';
import { isShared } from './place.ts';

const kLeastAlign = 8;
const kMostAlign = 4096;

const isMemory: Check = (value) => (value instanceof WebAssembly.Memory ? undefined : 'a WebAssembly.Memory');
const isBuffer: Check = (value) =>
  value instanceof ArrayBuffer || (typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer)
    ? undefined
    : 'an ArrayBuffer or a SharedArrayBuffer';
const isSource: Check = (value) =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)
    ? undefined
    : 'an address, bytes, a compiled module or a response';
const isShare: Check = (value) =>
  typeof value === 'boolean' || isHeapShare(value) ? undefined : 'true, or what heap.share() gave';
const isHeapShare = (value: unknown): value is HeapShare =>
  typeof value === 'object' &&
  value !== null &&
  'heap' in value &&
  'data' in value &&
  'memory' in value &&
  'module' in value;

const kOptions: Readonly<Record<keyof HeapOptions, Check>> = {
  memory: isMemory,
  buffer: isBuffer,
  start: isSize,
  end: isSize,
  initial: isSize,
  maximum: isSize,
  shared: isShare,
  align: () => undefined, // alignmentOf says more
  wasm: isSource,
  from: () => undefined, // snapshotOf says more
  trace: isBoolean,
  checked: isBoolean,
  throwOnOutOfMemory: isBoolean,
};

/** Options that contradict each other: why. */
const kContradictions: readonly [keyof HeapOptions, keyof HeapOptions, string][] = [
  ['memory', 'buffer', 'a heap lies in one of them'],
  ['memory', 'initial', 'the memory is there already'],
  ['memory', 'maximum', 'the memory is there already; end says how far the heap may go'],
  ['buffer', 'initial', 'the buffer is there already'],
  ['buffer', 'maximum', 'the buffer is there already; end says how far the heap may go'],
  ['from', 'memory', 'a snapshot is of a heap with a memory that it made'],
  ['from', 'buffer', 'a snapshot is of a heap with a memory that it made'],
  ['from', 'shared', 'a shared heap has no snapshot'],
  ['buffer', 'shared', 'a heap over a buffer is for one thread: share a WebAssembly.Memory'],
];

/** A heap as the options want it; `find` gives the module where they name none. */
export async function makeHeap(find: ModuleFinder, options: HeapOptions): Promise<Heap> {
  proveOptions(options);
  if (options.from !== undefined) return restoreHeap(find, options);
  const { shared } = options;
  const given = typeof shared === 'object' ? { ...options, wasm: options.wasm ?? shared.module } : options;
  const module = await loadHeapModule(given, find);
  const heap = typeof shared === 'object' ? shared.heap : module.functions.hg_heap_create() >>> 0;
  if (heap === 0) throw noHeap();
  return handleOf(module, heap);
}

const handleOf = (module: HeapModule, heap: number): Heap =>
  module.recorder === undefined ? new WasmHeap(module, heap) : new TracedWasmHeap(module, heap);

/** With a handle for each heap and pool that had one, in that order; which of them the snapshot was asked of. */
async function restoreHeap(find: ModuleFinder, options: HeapOptions): Promise<Heap> {
  const snapshot = snapshotOf(options.from);
  const module = await loadHeapModule(optionsProvenOf(snapshot, options), find, imageOf(snapshot));
  const handles = snapshot.handles.map(({ heap, pools, memoryPool, fixedSize = 0 }) => {
    const handle =
      memoryPool === undefined ? handleOf(module, heap) : new WasmMemoryPool(module, memoryPool, fixedSize);
    for (const pool of pools) (handle as WasmHeap | WasmMemoryPool).poolAt(pool);
    return handle;
  });
  const heap = handles[snapshot.asked] as WasmHeap;
  module.recorder?.name(heap.id, `restored from a snapshot of ${sizeText(snapshot.bytes)}`);
  return heap;
}

/** snapshot.N4: those of a snapshot that nobody wrote are no better than those of a caller. */
function optionsProvenOf(snapshot: Snapshot, given: HeapOptions): HeapOptions {
  const options = optionsOf(snapshot, given);
  try {
    proveOptions(options);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new HeapError('bad_snapshot', `the snapshot is damaged: ${why}`, { cause });
  }
  return options;
}

function proveOptions(options: HeapOptions): void {
  checkOptions('createHeap', options, kOptions);
  const given = (name: keyof HeapOptions): boolean => options[name] !== undefined && options[name] !== false;
  for (const [one, other, why] of kContradictions) {
    if (given(one) && given(other)) throw badArgument(`createHeap: ${one} and ${other} exclude each other: ${why}`);
  }
  if (options.align !== undefined && alignmentOf(options.align, 'align', kLeastAlign) > kMostAlign) {
    throw badArgument(`align is at most ${kMostAlign}, and is ${options.align}`);
  }
  if ((given('start') || given('end')) && !given('memory') && !given('buffer')) {
    throw badArgument('createHeap: start and end are places in memory or buffer, and neither is given');
  }
  if (typeof options.shared === 'object') {
    const beside = (Object.keys(options) as (keyof HeapOptions)[]).filter((name) => given(name));
    const other = beside.find((name) => name !== 'shared' && name !== 'wasm' && name !== 'throwOnOutOfMemory');
    if (other !== undefined)
      throw badArgument(`createHeap: a heap that another worker made has its options; ${other} is one too many`);
  }
  if (options.shared === true && options.memory !== undefined && !isShared({ memory: options.memory, shared: false })) {
    throw badArgument(
      'createHeap: the memory is not shared: new WebAssembly.Memory({ initial, maximum, shared: true }) is',
    );
  }
  if (options.shared === false && isShared(options)) {
    throw badArgument('createHeap: the memory is shared, and the option shared is false');
  }
  if (isShared(options) && (options.trace || options.checked)) {
    throw badArgument('createHeap: a shared heap is neither traced nor checked: try the same calls on one worker');
  }
}
