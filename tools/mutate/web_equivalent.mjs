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
];
