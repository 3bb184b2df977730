// The map of places as its file's header lays it out, read back at every byte.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { readPlaceMap, writePlaceMap } from '../../../web/src/instrument/place_map.ts';
import { folded } from '../../../web/src/instrument/site_table.ts';
import { kOp } from '../../../web/src/symbols/instructions.ts';
import type { WasmModule } from '../../../web/src/symbols/wasm_module.ts';

const kOurs = 0;
const kUnknown = 1;
const known = (shift: number) => folded(shift) + 2; // to the last known one

test('a place is the difference of the entry before it, unknown or none, and a known one counts from the last known', () => {
  const placeOf = readPlaceMap(
    Uint8Array.of(3, 20, known(-12), 10, known(-1), 10, kUnknown, 10, kOurs, 10, known(-18), 10, known(31)),
  );
  const expected = (at: number) => {
    if (at < 20 || (at >= 50 && at < 60)) return undefined;
    if (at < 30) return at - 12;
    if (at < 40) return at - 13;
    if (at < 50) return -1;
    return at < 70 ? at - 31 : at;
  };
  for (let at = 0; at < 100; ++at) {
    const original = expected(at);
    expect(placeOf(7, at), `at ${at}`).toEqual(original === undefined ? undefined : { at, function: 4, original });
  }
});

test.each([1, 2, 3])(
  'of drawn functions each call has the place that it had, one not known, or none (seed %i)',
  (seed) => {
    const { below } = createRandom(seed);
    const kRecorders = 0; // what it imports first
    /** Calls that are reached, and between them others. */
    const bodiesOf = (targets: readonly (readonly number[])[], first: number, step: number) => {
      let at = first;
      const further = () => {
        at += 1 + below(step);
        return at;
      };
      const call = (target: number, reached: boolean) => ({ at: further(), op: kOp.call, target, reached });
      return targets.map((each) => {
        const sizeAt = further();
        const calls = each.flatMap((target) => [
          call(target, true),
          ...(below(3) > 0 ? [] : [call(kRecorders, false)]),
        ]);
        return { sizeAt, calls };
      });
    };
    const moduleOf = (imports: readonly string[], bodies: ReturnType<typeof bodiesOf>) =>
      ({ imports: imports.map((module) => ({ module })), bodies }) as unknown as WasmModule;
    const targets = Array.from({ length: 40 }, () => Array.from({ length: below(4) }, () => 1));
    const original = bodiesOf(targets, 50, 9);
    const changed = targets.map((each) => (below(3) > 0 ? each : [...each, below(2)]));
    const here = bodiesOf([...changed, [1, 1]], 90, 12);
    const placeOf = readPlaceMap(writePlaceMap(moduleOf(['heapglass', 'env'], here), moduleOf(['env'], original)));
    const kinds = new Set<string>();
    for (const [index, { calls }] of here.entries()) {
      const reached = calls.filter((call) => call.reached);
      const there = original[index]?.calls.filter((call) => call.reached);
      const isOurs = there === undefined || reached.some(({ target }) => target === kRecorders);
      for (const [nth, { at }] of reached.entries()) {
        const place = there?.length === reached.length ? there[nth]?.at : -1;
        kinds.add(isOurs ? 'none' : `${place === -1}`);
        expect(placeOf(2 + index, at)).toEqual(isOurs ? undefined : { at, function: 1 + index, original: place });
      }
    }
    expect(kinds.size).toBe(3);
  },
);
