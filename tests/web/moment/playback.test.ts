import { describe, expect, test } from 'vitest';
import { kSpeeds, speedFor, speedText, tick } from '../../../web/src/moment/playback.ts';

describe('playback', () => {
  test('a slow speed adds up to whole steps: 0.1 a second is one step in ten seconds', () => {
    let carry = 0;
    let steps = 0;
    for (let beat = 0; beat < 640; beat++) {
      const next = tick(carry, 1 / 64, 0.1);
      carry = next.carry;
      steps += next.steps;
    }
    expect(steps).toBe(1);
  });

  test('no step is lost or made up at any speed', () => {
    for (const speed of kSpeeds) {
      let carry = 0;
      let steps = 0;
      for (let beat = 0; beat < 1280; beat++) {
        const next = tick(carry, 1 / 64, speed);
        carry = next.carry;
        steps += next.steps;
      }
      expect(Math.abs(steps + carry - 20 * speed)).toBeLessThan(1e-3);
    }
  });

  test('time in the background is not made up for', () => {
    expect(tick(0, 3600, 1000).steps).toBe(100);
  });

  test('a story is told in about half a minute whatever its length', () => {
    for (const total of [500, 20_000, 300_000, 3_000_000]) {
      const seconds = total / speedFor(total);
      expect(seconds).toBeGreaterThan(12);
      expect(seconds).toBeLessThan(45);
    }
  });

  test('a heap of a few events by hand does not crawl', () => {
    expect(speedFor(6)).toBe(10);
  });

  test('speeds read as numbers with a times sign', () => {
    expect(kSpeeds.map(speedText)).toContain('0.1×');
    expect(kSpeeds.map(speedText)).toContain('1,000,000×');
  });
});
