// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
// Twenty faults of the model, each a text that is replaced by another: what a suite that proves the model must catch.
// `from` must stand in the file exactly once.

const model = (name) => `web/src/model/${name}.ts`;

export const kFaults = [
  {
    what: 'a page is not marked when a chunk changes size or state',
    file: model('state/chunk_table'),
    from: '    this.touch(this.addressOf(granule));\n',
    to: '',
  },
  {
    what: 'a page is not marked when a chunk ends in it',
    file: model('state/chunk_table'),
    from: '(this.largePageStarts[address >>> kLargePageBits] ?? 0) - 1;\n    this.dirtyPages[address >>> kPageBits] = 1;',
    to: '(this.largePageStarts[address >>> kLargePageBits] ?? 0) - 1;',
  },
  {
    what: 'a page is not marked when top leaves it',
    file: model('state/bins'),
    from: '  if (from !== 0) state.touch(from);\n',
    to: '',
  },
  {
    what: 'a page is not marked when malloc caches a chunk of it',
    file: model('state/cached_chunks'),
    from: '  state.next[granule] = holder;\n  state.touch(state.addressOf(granule));',
    to: '  state.next[granule] = holder;',
  },
  {
    what: 'undoing a free forgets when the block was born',
    file: model('state/rules_chunks'),
    from: '      heap.chunksInUse += 1;\n      state.born[granule] = lost.at(seq);',
    to: '      heap.chunksInUse += 1;',
  },
  {
    what: 'undoing a join gives both births to the wrong parts',
    file: model('state/rules_chunks'),
    from: 'const swapped = inUse === 2 || (inUse === 0 && (lost & kRightWasYounger) !== 0);',
    to: 'const swapped = inUse === 2;',
  },
  {
    what: 'the first free chunk of a heap comes into no bin',
    file: model('state/bins'),
    from: '  haveBins(heap);\n',
    to: '',
  },
  {
    what: 'undoing a pool forgets the one that had its number before',
    file: model('state/rules_pools'),
    from: 'state.poolById[pool.id] = pool.before;',
    to: 'state.poolById[pool.id] = undefined;',
  },
  {
    what: 'undoing the first event of a thread leaves the thread',
    file: model('state/thread_caches'),
    from: '  if ((lost & 1) !== 0) state.removeLastThread();\n',
    to: '',
  },
  {
    what: 'undoing a block that replaced another does not bring that back',
    file: model('state/foreign_blocks'),
    from: '  if (before !== undefined) beginBlock(state, heap, address, lost.at(before), before);\n',
    to: '',
  },
  {
    what: 'undoing a burst leaves one chunk of it',
    file: model('state/rules_chunks'),
    from: 'for (let i = 1; i < c; ++i) state.removeStart',
    to: 'for (let i = 2; i < c; ++i) state.removeStart',
  },
  {
    what: 'a keyframe loses the order of lists',
    file: model('state/keyframe'),
    from: '(linkOf[Math.min(link, lastLink)] as number) & -isLinked',
    to: '0',
  },
  {
    what: 'a keyframe loses the nodes before the first whole 128 bytes of a block',
    file: model('state/keyframe'),
    from: 'let at = block - (block % kNodeWordBytes); at',
    to: 'let at = block + kNodeWordBytes - (block % kNodeWordBytes); at',
  },
  {
    what: 'a keyframe loses what malloc caches in all',
    file: model('state/keyframe'),
    from: '  state.cached = frame.cached;\n',
    to: '',
  },
  {
    what: 'a seek takes the keyframe one event too early for one at its event',
    file: model('time/time_travel'),
    from: 'if (state.seq < seq) this.#applyUpTo(seq);',
    to: 'if (state.seq < seq - 1) this.#applyUpTo(seq);',
  },
  {
    what: 'a free is not when a free chunk was born',
    file: model('state/rules_chunks'),
    from: '      heap.chunksInUse -= 1;\n      lost.set(seq, state.born[granule] ?? 0);\n      state.born[granule] = seq;',
    to: '      heap.chunksInUse -= 1;\n      lost.set(seq, state.born[granule] ?? 0);',
  },
  {
    what: 'a burst of impossible chunks is half applied',
    file: model('state/rules_chunks'),
    from: '      if (b < 16 || (b & 7) !== 0) contradict(`chunks of ${b} bytes are impossible`);\n      state.countBurst(c);',
    to: '      state.countBurst(c);',
  },
  {
    what: "an event may name another heap's chunk",
    file: model('state/heap_state'),
    from: '    if (segment?.heap !== heap) contradict(`heap ${heap} has nothing at ${address}`);\n',
    to: '',
  },
  {
    what: 'the chunk that an operation has in its hands is not counted as free',
    file: model('queries/query_lists'),
    from: 'let largest = largestLoose(state, heap, trace);',
    to: 'let largest = 0;',
  },
  {
    what: 'a wrong checkpoint in the middle is passed over',
    file: model('time/history'),
    from: '    else this.differs ??= { seq: event, text: `at the checkpoint of event ${event} ${wrong}` };\n',
    to: '',
  },
];
