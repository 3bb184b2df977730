// What a program exports that can shrink, of the allocator's C interface. The command line links it in; a module is asked for it.

export const kShrinkExports = [
  'hg_malloc_trim',
  'hg_heap_returnable',
  'hg_heap_free_pages',
  'hg_malloc_cached_pages',
  'hg_memory_free_pages',
  'hg_memory_end',
  'hg_memory_moved',
] as const;

/** Static memory for a list of pages. */
export const kShrinkScratch = 'hg_memory_scratch';
