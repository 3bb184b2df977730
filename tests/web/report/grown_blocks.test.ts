// Blocks that grew by copies, in calls drawn at random, beside a twin that keeps every step of every block.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { BlockFacts } from '../../../web/src/report/block_facts.ts';
import { someOf } from '../../every.ts';

interface Followed {
  readonly request: number;
  readonly steps: { readonly copied: number; readonly event: number; readonly how: string; readonly to: number }[];
}

/** Blocks with the steps that each has come from, by address; V1 to V3 when one goes no further. */
class Twin {
  readonly blocks = new Map<number, Followed>();
  readonly ended: { steps: number; copied: number; event: number; first: number; last: number; how: string }[] = [];

  /** A block's steps go on in another one, if they were made in the same way. */
  goesOn(from: number, to: number, request: number, how: string, event: number): void {
    const old = this.blocks.get(from);
    if (old === undefined) return;
    const goesOn = old.steps.length === 0 || old.steps[0]?.how === how;
    if (!goesOn) this.end(from);
    this.end(to);
    this.blocks.delete(from);
    const steps = [...(goesOn ? old.steps : []), { copied: old.request, event, how, to: request }];
    this.blocks.set(to, { request, steps });
  }

  end(address: number): void {
    const steps = this.blocks.get(address)?.steps ?? [];
    const [first] = steps;
    const last = steps.at(-1);
    const copied = steps.reduce((sum, step) => sum + step.copied, 0);
    this.blocks.delete(address);
    if (first === undefined || last === undefined || steps.length < (first.how === 'reallocate' ? 3 : 4)) return;
    if (copied < 1024) return;
    const { event, to, how } = last;
    this.ended.push({ steps: steps.length, copied, event, first: first.copied, last: to, how });
  }
}

test.each(someOf([1, 2, 3], 2))('blocks that grew are those whose steps a twin followed, seed %i', (seed) => {
  const { below } = createRandom(seed);
  const facts = new BlockFacts(1);
  let calls = 0;
  const got = (address: number, request: number) => facts.allocated(address, request, request, ++calls, 4);
  const free = (address: number) => facts.freed(address, ++calls, true);
  const resize = (from: number, to: number, request: number) => facts.resized(from, to, request, request, ++calls, 4);
  const twin = new Twin();
  let youngest: number | undefined;
  const place = () => 16 * (1 + below(30));
  for (let step = 0; step < 6000; ++step) {
    const known = [...twin.blocks.keys()];
    const at = known[below(Math.min(known.length, 6) || 1)];
    const kind = below(10);
    if (at === undefined || kind < 2) {
      const to = place();
      const size = 32 * below(4);
      got(to, size);
      twin.end(to);
      twin.blocks.set(to, { request: size, steps: [] });
      youngest = to;
    } else if (kind < 4) {
      const to = below(4) === 0 ? at : place();
      const old = twin.blocks.get(at);
      const size = 32 * Math.floor(((old?.request ?? 0) / 32) * (below(6) === 0 ? 0.7 : 1.5) + 1);
      resize(at, to, size);
      youngest = undefined;
      if (at === to) twin.blocks.set(at, { request: size, steps: old?.steps ?? [] });
      else if (size > (old?.request ?? 0)) twin.goesOn(at, to, size, 'reallocate', calls);
      else {
        twin.end(at);
        twin.end(to);
        twin.blocks.set(to, { request: size, steps: [] });
      }
    } else if (kind < 8) {
      const to = place();
      const old = twin.blocks.get(at)?.request ?? 0;
      const size = 32 * Math.floor((old / 32) * (1.4 + below(14) / 10));
      got(to, size);
      twin.end(to);
      twin.blocks.set(to, { request: size, steps: [] });
      youngest = to;
      if (to === at) continue;
      free(at);
      if (old > 0 && size >= 1.4 * old && size <= 2.6 * old) twin.goesOn(at, to, size, 'allocate_and_free', calls);
      else twin.end(at);
    } else {
      // Most often one that the youngest might have grown from, though another has done so.
      const young = youngest === undefined ? 0 : (twin.blocks.get(youngest)?.request ?? 0);
      const small = known.find((one) => young >= 1.4 * (twin.blocks.get(one)?.request ?? 0) && below(3) > 0);
      const gone = small ?? at;
      const request = twin.blocks.get(gone)?.request ?? 0;
      const larger = youngest === undefined || youngest === gone ? undefined : twin.blocks.get(youngest)?.request;
      free(gone);
      const ratio = larger === undefined || request === 0 ? 0 : larger / request;
      if (youngest !== undefined && larger !== undefined && ratio >= 1.4 && ratio <= 2.6)
        twin.goesOn(gone, youngest, larger, 'allocate_and_free', calls);
      else twin.end(gone);
    }
  }
  for (const address of [...twin.blocks.keys()]) twin.end(address);
  const { blocks, copied, best } = facts.grown.finish();
  expect(blocks).toBe(twin.ended.length);
  expect(copied).toBe(twin.ended.reduce((sum, one) => sum + one.copied, 0));
  const most = twin.ended.sort((one, two) => two.copied - one.copied || one.event - two.event).slice(0, 10);
  expect(best).toEqual(
    most.map(({ first, last, steps, copied: copied_bytes, event: at, how }) => {
      return { first_bytes: first, last_bytes: last, steps, copied_bytes, event: at, how };
    }),
  );
  expect(new Set(best.map(({ how }) => how)).size).toBe(2);
});

test('a block that two others have grown into ends what the first of them began', () => {
  const facts = new BlockFacts(1);
  let calls = 0;
  const got = (address: number, request: number) => facts.allocated(address, request, request, ++calls, 4);
  const free = (address: number) => facts.freed(address, ++calls, true);
  got(16, 400);
  for (let nth = 1; nth <= 4; ++nth) {
    if (nth === 4) got(1600, 3000);
    got(16 + 16 * nth, 400 * 2 ** nth);
    free(16 * nth);
  }
  free(1600);
  expect(facts.grown.finish()).toMatchObject({ blocks: 1, copied: 400 + 800 + 1600 + 3200, best: [{ steps: 4 }] });
});
