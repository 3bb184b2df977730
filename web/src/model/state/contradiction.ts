// An event that cannot be: it does not fit the state that all events before it lead to. The trace is damaged, events are
// missing, or the allocator has a bug; in each case what the glass shows from here on would be wrong.

export class Contradiction extends Error {
  override readonly name = 'Contradiction';
}

export function contradict(what: string): never {
  throw new Contradiction(what);
}
