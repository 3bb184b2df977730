// heap.snapshot() and createHeap({ from }): the bytes of about what lives, and a module that goes on with them.
//
//   snapshot   | ask for free pages | list what lives | copy |        nothing of the heap changes; a traced one gets a mark behind it
//   restore    | prove the bytes | a fresh instance | prove its build | write at the same addresses | handles |
//
//  restore.K1  A snapshot belongs to one build of one profile: it holds the module's data, and nothing is translated.
//  restore.K2  Whatever is refused is refused before a heap is there.
//  restore.K3  The pages that a fresh instance has and the snapshot leaves out hold zeros, or are free. So what the instance wrote
//      there, its data, is cleared.
//  restore.K4  Memory may be shorter afterwards than it was: free pages at its end are not needed. Addresses of later calls are equal
//      all the same, because the page source takes new pages where those began.

import { formatBytes } from '../base/format.ts';
import { kOneWord } from '../image/free_runs.ts';
import { isZeroPage, liveRuns } from '../image/live_pages.ts';
import { copyRuns, writeRuns } from '../image/runs.ts';
import {
  decodeSnapshot,
  encodeSnapshot,
  type SnapshotDescription,
  type SnapshotParts,
} from '../image/snapshot_file.ts';
import type { Variant } from '../wasm/heap_artefacts.ts';
import { badArgument, shown } from './arguments.ts';
import { freeRuns, growTo } from './free_pages.ts';
import type { WasmBlocks } from './heap_blocks.ts';
import { HeapError } from './heap_error.ts';
import { type HandleRecord, type HeapModule, type Image, variantOf } from './heap_module.ts';
import type { HeapOptions } from './heap_types.ts';

interface HeapDescription extends SnapshotDescription {
  readonly of: 'heap';
  readonly profile: Variant;
  readonly align: number;
  readonly initial?: number;
  readonly maximum?: number;
  readonly handles: readonly HandleRecord[];
  /** Which of them the snapshot was asked of. */
  readonly asked: number;
}

export type Snapshot = HeapDescription & SnapshotParts & { readonly bytes: number };

const kNoEvents = new Uint32Array(0);

/** As marks on the time line say it, with a space that one can type. */
export const sizeText = (bytes: number): string => formatBytes(bytes).replace(/\s/gu, ' ');

/** Of the whole module; `asked`: whose handle the restored heap is. */
export function takeSnapshot(module: HeapModule, asked: WasmBlocks): Uint8Array<ArrayBuffer> {
  if (module.fixed !== undefined) throw badArgument(`this heap has no snapshot: ${module.fixed}`);
  const { functions, views, options, profile, align } = module;
  module.recorder?.drain();
  const end = functions.hg_memory_end() >>> 0;
  const free = freeRuns(module, kOneWord);
  const { u8, i32 } = views.views;
  const runs = liveRuns(end, free, (page) => isZeroPage(i32, page));
  const records = module.recorder?.records(0);
  const handles = [...module.handles];
  const description: HeapDescription = {
    of: 'heap',
    profile,
    mark: module.mark(),
    align,
    end,
    ...(options.initial === undefined ? {} : { initial: options.initial }),
    ...(options.maximum === undefined ? {} : { maximum: options.maximum }),
    handles: handles.map(({ record }) => record),
    asked: handles.indexOf(asked),
  };
  const events = records === undefined ? kNoEvents : new Uint32Array(records.buffer);
  const bytes = encodeSnapshot(description, runs, events, (place) => copyRuns(u8, runs, place), heapFailure);
  module.recorder?.name(asked.id, `snapshot of ${sizeText(bytes.length)}`);
  return bytes;
}

/** The snapshot that `createHeap({ from })` was given. Throws a HeapError. */
export function snapshotOf(given: unknown): Snapshot {
  if (!(given instanceof ArrayBuffer || ArrayBuffer.isView(given)))
    throw badArgument(`createHeap: the option from must be the bytes of a snapshot, and is ${shown(given)}`);
  const snapshot = decodeSnapshot<HeapDescription>(given, 'heap', heapFailure);
  if (!namesHandles(snapshot)) throw bad('the snapshot is damaged: its heaps and pools are none');
  return { ...snapshot, bytes: given.byteLength };
}

/** snapshot.N4 */
function namesHandles({ handles, asked, profile, end }: Omit<Snapshot, 'bytes'>): boolean {
  const isAddress = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) < end;
  const isRecord = ({ heap, pools }: HandleRecord): boolean =>
    isAddress(heap) && Array.isArray(pools) && pools.every(isAddress);
  const all: readonly (HandleRecord | null)[] = Array.isArray(handles) ? handles : [];
  return (
    typeof profile === 'string' &&
    all.every((each) => each !== null && isRecord(each)) &&
    Number.isInteger(asked) &&
    all[asked] !== undefined
  );
}

export const heapFailure = (...given: ConstructorParameters<typeof HeapError>): HeapError => new HeapError(...given);
const bad = (message: string): HeapError => new HeapError('bad_snapshot', message);

/** What a heap of this snapshot is made with. Throws a HeapError when `given` asks for something else. */
export function optionsOf(snapshot: Snapshot, given: HeapOptions): HeapOptions {
  const { profile, align, initial, maximum } = snapshot;
  const has = { trace: profile.endsWith('trace'), checked: profile.endsWith('checked'), align, initial, maximum };
  for (const name of Object.keys(has) as (keyof typeof has)[]) {
    if (given[name] === undefined || given[name] === has[name]) continue;
    throw bad(
      `the snapshot is of a heap with ${name} ${has[name]} (profile ${profile}), and ${given[name]} is asked for`,
    );
  }
  const of = Object.fromEntries(Object.entries(has).filter(([, value]) => value !== undefined && value !== false));
  const options: HeapOptions = { ...given, ...of };
  if (variantOf(options) !== profile) throw bad(`the snapshot has the profile ${profile}, and its options do not`);
  return options;
}

/** K1 to K3 */
export function imageOf(snapshot: Snapshot): Image {
  const { end, runs, contents, events, profile } = snapshot;
  return {
    events,
    prove: (mark) => {
      if (mark !== snapshot.mark)
        throw bad(
          `the snapshot is of another build of heapglass, or of another module than this one (profile ${profile})`,
        );
    },
    write: (memory) => {
      growTo(memory, end, 'no memory');
      writeRuns(memory.buffer, runs, contents);
      return end;
    },
  };
}
