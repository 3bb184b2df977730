// What running.test.ts asks, and running.engines.ts in a page: whether the forwarders of a program know that one of its functions runs.

import { type Forwarders, makeForwarders } from '../../../web/src/shrink/forwarders.ts';
import { forwardersOnStack } from '../../../web/src/shrink/running.ts';

// (module (import "e" "out" (func $out)) (func (export "f") (call $out)))
const kModule = [
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 9, 1, 1, 101, 3, 111, 117, 116, 0, 0],
  ...[3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 1, 10, 6, 1, 4, 0, 16, 0, 11],
];
const kDeep = 400; // frames

interface Found {
  /** Whether the engine's stack says it: nothing is counted. */
  readonly isRead: boolean;
  readonly outside: boolean | undefined;
  readonly within: boolean | undefined;
  readonly withinDeep: boolean | undefined;
  readonly outsideDeep: boolean | undefined;
  readonly afterThrow: boolean | undefined;
  /** Begun within a call, and asked when that has returned. */
  readonly later: readonly (boolean | undefined)[];
}

const deep = (frames: number, ask: () => boolean | undefined): boolean | undefined => {
  const found = frames === 0 ? ask() : deep(frames - 1, ask);
  return found;
};

export async function askRunning(): Promise<Found> {
  let out: () => void = () => undefined;
  const instance = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(kModule)), {
    e: { out: () => out() },
  });
  const forwarders: Forwarders = makeForwarders();
  const call = forwarders.of(instance.exports['f'] as () => void, (each) => each.exports['f'] as () => void);
  const during = <T>(act: () => T): T => {
    const found: T[] = [];
    out = () => found.push(act());
    call();
    return found[0] as T;
  };
  const later = during(() => [
    Promise.resolve().then(forwarders.running),
    new Promise<boolean | undefined>((done) => setTimeout(() => done(forwarders.running()))),
  ]);
  out = () => {
    throw new Error('out of a call');
  };
  try {
    call();
  } catch {}
  return {
    afterThrow: forwarders.running(),
    isRead: during(forwardersOnStack) === 1,
    outside: forwarders.running(),
    within: during(forwarders.running),
    withinDeep: during(() => deep(kDeep, forwarders.running)),
    outsideDeep: deep(kDeep, forwarders.running),
    later: await Promise.all(later),
  };
}

(globalThis as { askRunning?: typeof askRunning }).askRunning = askRunning;
