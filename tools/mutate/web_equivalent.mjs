// Mutants of the web half that no test can tell from the original, each with the reason. They are not drawn. An entry names the file
// below web/src, the text that is replaced and what replaces it, both in one line as the report prints them.

/** @type {readonly {file: string, from: string, to: string, why: string}[]} */
export const kEquivalent = [
  {
    file: 'report/block_facts.ts',
    from: 'this.#between !== undefined',
    to: 'true',
    why: 'without two marks the range goes from event 0 to event 0, in which no block is born',
  },
  {
    file: 'model/queries/query_empty.ts',
    from: 'heap.binCount[bin] !== 0',
    to: 'true',
    why: 'an empty bin has no chunks to visit: the question only saves the visit',
  },
  {
    file: 'model/queries/query_empty.ts',
    from: 'bin >= 0',
    to: '(bin > 0)',
    why: 'the walk over the bins stops above bin 0, at the first whose chunks are smaller than kLeastBytes',
  },
  {
    file: 'model/queries/chunk_groups.ts',
    from: '!names.has(site)',
    to: 'true',
    why: 'a name that is made again is the same: the map only saves the work',
  },
  {
    file: 'model/state/chunk_at.ts',
    from: '(at & 0xffff) === 0 && state.largePageStarts[at >>> kLargePageBits] === 0',
    to: 'false',
    why: 'a page of 64 KiB without a chunk is passed over at once; by its pages of 4 KiB it takes longer',
  },
  {
    file: 'model/state/chunk_at.ts',
    from: 'at < stop',
    to: '(at <= stop)',
    why: 'whatever is found at the end of the search is cut to the end',
  },
  {
    file: 'model/time/time_series.ts',
    from: 'firstBucket >= endBucket',
    to: 'true',
    why: 'the buckets have the least and the greatest of their items: item by item the same is found, and it takes longer',
  },
  {
    file: 'record/definitions.ts',
    from: 'kind >= EventKind.text',
    to: 'true',
    why: 'what is no text, string or site is dropped again at the end of its turn',
  },
  {
    file: 'trace/crc32.ts',
    from: 'n < 256',
    to: '(n <= 256)',
    why: 'what is written behind the end of a typed array is dropped',
  },
  {
    file: 'trace/trace_file.ts',
    from: 'begin >= endAt',
    to: '(begin > endAt)',
    why: 'between an offset and itself lies no index',
  },
  {
    file: 'model/queries/block_life.ts',
    from: 'found.length === kMostNewest && request !== undefined',
    to: 'false',
    why: 'no older event is kept then: the break only saves the search for it',
  },
  {
    file: 'diff/diff.ts',
    from: 'change > 0',
    to: '(change >= 0)',
    why: 'a change of nothing is none, and is not in the list',
  },
  {
    file: 'diff/align.ts',
    from: 'x.length - 1',
    to: '(x.length + 1)',
    why: 'behind the last call nothing is like anything: the sum there is 0, as it was',
  },
  {
    file: 'diff/align.ts',
    from: 'i < x.length && j < y.length',
    to: 'true',
    why: 'where one side is at its end both sums are 0, and the pair has none on that side, as below',
  },
  {
    file: 'model/time/time_travel.ts',
    from: '(keyframes[middle]?.seq ?? 0) <= seq',
    to: '((keyframes[middle]?.seq ?? 0) < seq)',
    why: 'a keyframe just there is one of the two that are tried, whichever of them it is',
  },
  {
    file: 'report/program_calls.ts',
    from: 'kind >= kWalkEvent',
    to: '(kind > kWalkEvent)',
    why: 'the records of a walk are counted from 1',
  },
  {
    file: 'answers/free_space.ts',
    from: 'segment.size < needed',
    to: '(segment.size <= needed)',
    why: 'the chunks of a segment are smaller than the segment, which has its last header too',
  },
  {
    file: 'answers/pins.ts',
    from: 'at > segment.firstChunk',
    to: '(at >= segment.firstChunk)',
    why: 'what lies before the first chunk is of another segment, and is dropped',
  },
  {
    file: 'convert/pytorch.ts',
    from: 'one.address > other.address',
    to: '(one.address >= other.address)',
    why: 'of two equal addresses the one that stands behind is compared with the one before it, and stays behind it',
  },
  {
    file: 'convert/tables.ts',
    from: 'value > kMostSigned',
    to: 'true',
    why: 'a plain array of the same numbers is written as the same bytes, and takes longer',
  },
  {
    file: 'moment/bookmarks.ts',
    from: 'by > 0',
    to: '(by >= 0)',
    why: 'it is 1 or -1 and never 0: the types say so',
  },
  {
    file: 'document/schema.ts',
    from: 'most === undefined',
    to: 'false',
    why: 'JSON has no key whose value is undefined',
  },
  {
    file: 'answers/free_space.ts',
    from: 'segment.size < needed',
    to: 'false',
    why: 'no run of the chunks of a smaller segment is as large: the question only saves the visit',
  },
  {
    file: 'engine/running.ts',
    from: 'session.head < end',
    to: '(session.head <= end)',
    why: 'a slice may have one event more: the next one begins there',
  },
  {
    file: 'engine/running.ts',
    from: 'session.head > due',
    to: '(session.head >= due)',
    why: 'the heap may be proved one event earlier: a fifth is a measure of cost',
  },
];
