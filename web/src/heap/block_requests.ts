// One block of the module, aligned as the heap promises (heap_blocks.ts, J2): what is asked for it, and how it is had and resized.

import type { HeapModule } from './heap_module.ts';

export const kWordBytes = 4; // wasm32: a block's header
export const kOwnAlign = 8; // of every address the module gives
export const kMostBytes = 0xffff_ffff;

/** What is asked of the module for so many bytes. J2 */
export function requestOf(module: HeapModule, size: number): number {
  const { align } = module;
  if (align === kOwnAlign) return size;
  return Math.min(kMostBytes, Math.ceil((size + kWordBytes) / align) * align - kWordBytes);
}

/** A block for a size that was checked; 0 when memory is out. */
export function takeBlock(module: HeapModule, heap: number, size: number): number {
  const { functions, align } = module;
  const request = requestOf(module, size);
  const block = functions.hg_heap_allocate(heap, request) >>> 0;
  if (align === kOwnAlign || block % align === 0) return block;
  functions.hg_heap_deallocate(heap, block);
  return functions.hg_heap_allocate_aligned(heap, align, request) >>> 0;
}

/** The address of the block with its new size; 0 when it was freed or could not be had. */
export function resizeBlock(module: HeapModule, heap: number, from: number, bytes: number): number {
  const { functions, contents, views, align } = module;
  if (from === 0) return takeBlock(module, heap, bytes);
  if (bytes === 0 || (align === kOwnAlign && contents === views)) {
    return functions.hg_heap_reallocate(heap, from, bytes) >>> 0;
  }
  if (functions.hg_heap_reallocate_in_place(heap, from, requestOf(module, bytes)) !== 0) return from;
  const to = takeBlock(module, heap, bytes);
  if (to === 0) return 0;
  contents.views.u8.copyWithin(to, from, from + Math.min(bytes, functions.hg_usable_size(from) >>> 0));
  functions.hg_heap_deallocate(heap, from);
  return to;
}
