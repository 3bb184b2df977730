// How time moves while playing: pure arithmetic, so that it can be tested without a clock.

/** Steps per second the visitor can choose. 1×: one step a second. */
export const kSpeeds: readonly number[] = [
  0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000,
];

/** A source plays in about this long when the visitor has not chosen a speed. */
const kPlaySeconds = 24;

/** A tab in the background gets no frames; what it missed is not made up for. */
const kLongestTick = 0.1;

export interface Tick {
  readonly steps: number; // whole steps to take now
  readonly carry: number; // what is left of one for the next tick, 0..1
}

export function tick(carry: number, seconds: number, speed: number): Tick {
  const due = carry + Math.min(seconds, kLongestTick) * speed;
  const steps = Math.floor(due);
  return { steps, carry: due - steps };
}

/** A source of a few events does not crawl. */
const kLeastSpeed = 10;

/** The speed at which `total` events take about as long as a source should. */
export function speedFor(total: number): number {
  const wanted = Math.max(kLeastSpeed, total / kPlaySeconds);
  let best = kLeastSpeed;
  for (const speed of kSpeeds) {
    if (Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted))) best = speed;
  }
  return best;
}

export function speedText(speed: number): string {
  return `${speed.toLocaleString('en', { maximumFractionDigits: 1 })}×`;
}
