import { describe, expect, test } from 'vitest';
import { kMetrics, parseAssertions } from '../../../web/src/report/assertions.ts';

const parsed = (text: string) => {
  const result = parseAssertions(text);
  if (!result.ok) throw new Error(result.error);
  return result.value.map(({ metric, operator, value }) => [metric, operator, value]);
};

describe('conditions', () => {
  test.each([
    ['peak<32MiB', [['peak', '<', 32 * 1024 * 1024]]],
    ['peak < 32 MiB', [['peak', '<', 32 * 1024 * 1024]]],
    [
      'peak<=1.5kb leaks=0',
      [
        ['peak', '<=', 1500],
        ['leaks', '=', 0],
      ],
    ],
    [
      'leaks=0 leaked<1KB',
      [
        ['leaks', '=', 0],
        ['leaked', '<', 1000],
      ],
    ],
    [
      'leaks=0,lost==0, growths!=3',
      [
        ['leaks', '=', 0],
        ['lost', '==', 0],
        ['growths', '!=', 3],
      ],
    ],
    [
      'fragmentation<30% temporaries>.5',
      [
        ['fragmentation', '<', 0.3],
        ['temporaries', '>', 0.5],
      ],
    ],
    ['footprint>=1GiB', [['footprint', '>=', 2 ** 30]]],
  ])('%s', (text, wanted) => {
    expect(parsed(text)).toEqual(wanted);
  });

  test.each([
    ['', 'no condition was given'],
    ['peak', '"peak" is not a condition'],
    ['peak<', '"peak<" is not a condition'],
    ['peak<many', '"peak<many" is not a condition'],
    ['peak<3x', '"x" in peak<3x is no unit'],
    ['leaks<3%', 'leaks is a count'],
    ['fragmentation<3KiB', 'fragmentation is a share'],
    ['peak=<3', '"=<" in peak=<3 is no comparison'],
    ['constructor<3', 'there is no metric "constructor"'],
    ['peak<3 and leaks=0', '"and" is not a condition'],
  ])('%j is refused', (text, sentence) => {
    expect(parseAssertions(text)).toMatchObject({ ok: false, error: expect.stringContaining(sentence) });
  });

  test('every metric is named where one is unknown', () => {
    const refused = parseAssertions('peek<1');
    for (const name of Object.keys(kMetrics)) expect(!refused.ok && refused.error).toContain(name);
  });
});
