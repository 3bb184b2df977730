// Lists of operations, as allocator benches and traces of other tools have them.
//
//   .rep, of malloclab        a id size | r id size | f id           up to four numbers before them are a header
//   CSV                       op,id,size[,align]                     op: malloc calloc memalign realloc free, or a c m r f
//
//   Ids are any numbers or words; each is one block until its free. What cannot be read is named with its line.

import { failure, type Result, success } from '../base/result.ts';
import { FreeIds, kMostIds, OperationKind, OperationList } from '../replay/operation_list.ts';

const kWords: ReadonlyMap<string, OperationKind> = new Map([
  ['a', OperationKind.malloc],
  ['malloc', OperationKind.malloc],
  ['alloc', OperationKind.malloc],
  ['allocate', OperationKind.malloc],
  ['new', OperationKind.malloc],
  ['c', OperationKind.calloc],
  ['calloc', OperationKind.calloc],
  ['m', OperationKind.aligned],
  ['memalign', OperationKind.aligned],
  ['aligned_alloc', OperationKind.aligned],
  ['posix_memalign', OperationKind.aligned],
  ['r', OperationKind.realloc],
  ['realloc', OperationKind.realloc],
  ['f', OperationKind.free],
  ['free', OperationKind.free],
  ['delete', OperationKind.free],
  ['deallocate', OperationKind.free],
]);
const kMostSize = 2 ** 32 - 1;
const kMostAlignment = 2 ** 28;

/** Names of blocks as they come, to small numbers that are used again. */
export class BlockIds {
  readonly #live = new Map<string, number>();
  readonly #ids = new FreeIds();

  has(name: string): boolean {
    return this.#live.has(name);
  }

  /** undefined when there are too many. */
  begin(name: string): number | undefined {
    const id = this.#ids.take();
    if (id >= kMostIds) return undefined;
    this.#live.set(name, id);
    return id;
  }

  of(name: string): number | undefined {
    return this.#live.get(name);
  }

  end(name: string): void {
    const id = this.#live.get(name);
    if (id === undefined) return;
    this.#live.delete(name);
    this.#ids.give(id);
  }
}

/** The operations of a list as text; format by its first lines. */
export function readOperationList(text: string): Result<OperationList, string> {
  const list = new OperationList();
  const ids = new BlockIds();
  let number = 0;
  let header = true; // numbers alone, or names of columns
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end).trim();
    from = end < 0 ? text.length : end + 1;
    number += 1;
    if (line === '' || line.startsWith('#')) continue;
    const fields = line.split(/[\s,;]+/);
    const kind = kWords.get((fields[0] ?? '').toLowerCase());
    if (kind === undefined && header && (/^\d+$/.test(line) || /^op\b/i.test(line))) continue;
    header = false;
    const wrong = kind === undefined ? `there is no operation "${short(fields[0])}"` : add(list, ids, kind, fields);
    if (wrong !== undefined)
      return failure(`line ${number}: ${wrong}; a line is "a 1 100" (allocate), "r 1 200", "f 1"`);
  }
  return list.count === 0 ? failure('there is no operation in it') : success(list);
}

/** What is wrong with a line. */
function add(list: OperationList, ids: BlockIds, kind: OperationKind, fields: readonly string[]): string | undefined {
  const [, name, sizeText, alignText] = fields;
  if (name === undefined) return 'the block has no id';
  const id = ids.of(name);
  if (kind === OperationKind.free) {
    if (id === undefined) return `block ${short(name)} is not live`;
    list.add(kind, id, 0);
    ids.end(name);
    return undefined;
  }
  const size = Number(sizeText);
  if (sizeText === undefined || !(Number.isInteger(size) && size >= 0 && size <= kMostSize)) {
    return `"${short(sizeText)}" is no size`;
  }
  const align = alignText === undefined || alignText === '' ? 0 : Number(alignText);
  if (!Number.isInteger(align) || align < 0 || align > kMostAlignment || (align & (align - 1)) !== 0) {
    return `"${short(alignText)}" is no alignment, which is a power of two`;
  }
  if (kind === OperationKind.realloc && id !== undefined) {
    if (size > 0) list.add(kind, id, size);
    else {
      list.add(OperationKind.free, id, 0); // stream.S2 (programs/replay/stream.h)
      list.add(OperationKind.malloc, id, 0);
    }
    return undefined;
  }
  if (id !== undefined) return `block ${short(name)} is live already`;
  const begun = ids.begin(name);
  if (begun === undefined) return `more than ${kMostIds} blocks are live`;
  const plain = kind === OperationKind.realloc ? OperationKind.malloc : kind;
  list.add(align > 8 ? OperationKind.aligned : plain, begun, size, align);
  return undefined;
}

const short = (text: string | undefined): string => (text === undefined ? '' : text.slice(0, 40));
