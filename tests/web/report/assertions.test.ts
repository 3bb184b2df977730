import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { checkAssertions, kMetrics, parseAssertions } from '../../../web/src/report/assertions.ts';
import type { Report } from '../../../web/src/report/report_types.ts';
import { noFigures } from '../../../web/src/report/site_facts.ts';

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

  test('however they are written, each is read as what it is, with its own text', () => {
    const { below } = createRandom(5);
    const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
    const kUnits = { B: 1, KB: 1000, KiB: 1024, MB: 1e6, MiB: 2 ** 20, GB: 1e9, GiB: 2 ** 30 };
    const space = () => ' '.repeat(below(3));
    for (let round = 0; round < 300; ++round) {
      const wanted = Array.from({ length: 1 + below(4) }, () => {
        const metric = one(Object.keys(kMetrics));
        const kind = kMetrics[metric]?.kind;
        const operator = one(['<', '<=', '=', '==', '>=', '>', '!=']);
        const number = one([String(below(500)), `${below(9)}.${below(9)}`, `.${1 + below(9)}`]);
        const [unit, scale] = kind === 'bytes' ? one(Object.entries(kUnits)) : kind === 'share' ? ['%', 0.01] : ['', 1];
        const name = below(2) === 0 ? metric : metric.toUpperCase();
        const shown = below(2) === 0 ? unit : unit.toLowerCase();
        const text = `${name}${space()}${operator}${space()}${number}${shown === '' ? '' : space()}${shown}`;
        return { text, metric, operator, kind, value: Number(number) * scale, site: undefined };
      });
      const text = space() + wanted.map((condition) => condition.text).join(one([' ', ',', ' , ', '\n'])) + space();
      expect(parseAssertions(text), text).toEqual({ ok: true, value: wanted });
    }
  });

  test('every metric is named where one is unknown', () => {
    const refused = parseAssertions('peek<1');
    for (const name of Object.keys(kMetrics)) expect(!refused.ok && refused.error).toContain(name);
  });
});

test('temporaries of call sites are blocks, or with % their share of what the sites allocated', () => {
  const site = (name: string, allocations: number, temporaries: number) => ({
    stack: [`${name}@a.c:1`, 'main@a.c:9'],
    figures: { ...noFigures(), allocations, temporaries, live_blocks: 1 },
  });
  const sites = [site('load', 6, 2), site('load', 2, 0), site('none', 0, 0)];
  const holds = (text: string) => {
    const conditions = parseAssertions(text);
    if (!conditions.ok) throw new Error(conditions.error);
    return checkAssertions({} as Report, conditions.value, sites).map((verdict) => verdict.holds);
  };
  expect(holds('site:load temporaries=2 temporaries=25% temporaries<25%')).toEqual([true, true, false]);
  expect(holds('site:main temporaries=25%')).toEqual([true]);
  expect(holds('site:none temporaries=0%')).toEqual([true]);
});
