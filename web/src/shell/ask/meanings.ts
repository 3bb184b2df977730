// "what is fragmentation": what a word on the screen means, in the words of docs/glossary.md (tests/web/shell/ask/meanings.test.ts compares).

const kMeanings: Readonly<Record<string, string>> = {
  bin: 'a list of free chunks: of one size (small bin) or of a range of sizes (large bin)',
  'cache list': 'the cached chunks of one size class; the next request of that class takes one',
  cached:
    'a chunk that the program freed and malloc keeps, on a cache list or a central list, for the next request of its size class. Its neighbours see it as in use, so it joins no hole',
  chunk: 'header word and payload: the unit of the boundary-tag heap',
  footprint: 'the bytes that a heap has from its page source',
  fragmentation: 'the share of free memory that is outside of its largest piece: at 0 all of it is one piece',
  'header word': 'the word at the start of each chunk: the chunk’s size and the flags C, P and B',
  heap: 'one allocator instance and its state; one linear memory can contain several heaps',
  hole: 'a free chunk between blocks; top is none',
  node: 'one slot of a pool',
  pool: 'an allocator of equal nodes on top of a heap',
  segment: 'one contiguous run of memory that a heap received from its page source',
  site: 'the call stack of an operation: a node in the tree of calls',
  slab: 'a chunk that holds small blocks of one size without headers, and one bit for each; malloc has them where there is one thread',
  top: 'the free chunk at the end of the newest segment',
  'designated victim': 'the remainder of the last small split; the allocator tries it before the large bins',
  verified: 'the walk and the model gave the same records',
};
/** Other names on the screen. */
const kNames: Readonly<Record<string, string>> = {
  'call site': 'site',
  header: 'header word',
  victim: 'designated victim',
};

const kAsked = /^what(?:['’]?s| is| are| does| do)\s+(?:an?\s+|the\s+)?(.+?)(?:\s+means?)?\s*\?*$/i;

/** "top: the free chunk at the end of the newest segment."; undefined: it is no such question, or the word is not known. */
export function meaningIn(written: string): string | undefined {
  const asked = kAsked.exec(written.trim())?.[1]?.toLowerCase();
  if (asked === undefined) return undefined;
  for (const word of [asked, asked.replace(/s$/, '')]) {
    const name = kNames[word] ?? word;
    const meaning = Object.hasOwn(kMeanings, name) ? kMeanings[name] : undefined;
    if (meaning !== undefined) return `${name}: ${meaning}.`;
  }
  return undefined;
}
