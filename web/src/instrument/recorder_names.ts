// What an instrumented module and the one that loads it call things.

/** What the program imports the recorder's functions from. */
export const kNamespace = 'heapglass';
/** The custom section that holds the recorder (recorder_module.ts). */
export const kRecorderSection = 'heapglass.recorder';
/** The custom section of a module with threads: a number, not 0, by which the loader knows it again in another thread. */
export const kThreadsSection = 'heapglass.threads';
/** In the first message to a worker: the memory that recorders share. */
export const kMemoryMessage = 'heapglass.memory';
/** The one that holds the table of contexts of a program linked with heapglass (linked.ts). */
export const kContextSection = 'heapglass.contexts';
/** Its exports by which new sites are written (linked_sites.ts), whatever a minifier calls the functions. */
export const kSitesExports = {
  begin: 'heapglass_begin_sites',
  end: 'heapglass_leave',
  number: 'heapglass_number',
  put: 'heapglass_put',
} as const;

/** Events that the ring of a module with one thread holds (recorder_module.ts). */
export const kRingRecords = 16_384;
