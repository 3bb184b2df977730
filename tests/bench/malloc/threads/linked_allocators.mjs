// Which allocators are in a program, from the map the linker wrote (-Wl,--Map=file): the archives and objects whose code
// or data it took. Names of functions in the module do not tell: dlmalloc's are the libc's own.

/** What each allocator is linked from. A heap alone (libheapglass-threads.a) is below row D. */
const kFiles = {
  heapglass: /^libheapglass-malloc-[a-z-]+\.a$/,
  dlmalloc: /^libdlmalloc[a-z-]*\.a$/,
  emmalloc: /^libemmalloc[a-z-]*\.a$/,
  mimalloc: /^libmimalloc[a-z-]*\.a$/,
  'row-d': /^row-d-[a-z]+\.o$/,
};

/** The names of the allocators of which the map shows code or data, in alphabetical order. */
export function linkedAllocators(map) {
  const files = new Set();
  for (const [, path] of map.matchAll(/\s(\S+\.(?:a|o))(?:\([^)]*\))?:\(/g)) files.add(path.split('/').at(-1));
  return Object.keys(kFiles)
    .filter((allocator) => [...files].some((file) => kFiles[allocator].test(file)))
    .sort();
}
