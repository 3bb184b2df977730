// What a program does that is killed at any moment: it calls its allocator at an uneven pace, and notes how many calls it had made when.
// By its seed it returns to its event loop now and then, or never. Of those that never do, one hangs at last: it calls nothing any more, and goes
// on. One slows down to a fortieth of its pace. In a page and in Node.

const kMostAtOnce = 3000; // calls
const kSlower = 40;

/**
 * @param {{ malloc(size: number): number, free(block: number): void }} allocator
 * @param {{ seed: number, after: number, note(calls: number, now: number): void, ending?: () => Promise<void> }} given after so many
 *     milliseconds it ends, if it does so by itself
 */
export async function work({ malloc, free }, { seed, after, note, ending }) {
  const kind = ['returns', 'busy', 'hangs', 'slows'][seed % 4];
  const begun = performance.now();
  let calls = 0;
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const isOver = (share = 1) => performance.now() - begun > after * share;
  const mostAtOnce = () => {
    if (kind === 'hangs' && isOver(0.5)) return 0;
    return kind === 'slows' && isOver(0.5) ? kMostAtOnce / kSlower : kMostAtOnce;
  };
  for (;;) {
    for (let nth = random(mostAtOnce()); nth > 0; nth -= 2) {
      free(malloc(16));
      calls += 2;
    }
    note(calls, performance.now());
    if (isOver() && ending !== undefined) await ending();
    const until = performance.now() + random(20);
    if (kind === 'returns' && random(4) === 0) await new Promise((resolve) => setTimeout(resolve, random(60)));
    else while (performance.now() < until);
  }
}
