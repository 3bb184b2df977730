// The clock of playing: adds up the steps that are due while time goes by, until they are asked for.

import { tick } from './playback.ts';

export function createPlayClock() {
  let before: number | undefined;
  let carry = 0;
  let due = 0; // steps not yet asked for

  return {
    /** Once a screen frame. speed: steps a second; undefined: it does not play, and what was due is forgotten. */
    beat(now: number, speed: number | undefined): void {
      if (speed === undefined) {
        before = undefined;
        carry = 0;
        due = 0;
        return;
      }
      const next = tick(carry, before === undefined ? 0 : (now - before) / 1000, speed);
      carry = next.carry;
      due += next.steps;
      before = now;
    },
    isDue: () => due > 0,
    /** What is due; none of it is due then. */
    take(): number {
      const steps = due;
      due = 0;
      return steps;
    },
  };
}
