// The same document as text and as a page: both have every fact, and each cuts what is too long for it.

import { expect, test } from 'vitest';
import { type Document, figures, list, paragraph, table } from '../../../web/src/document/document.ts';
import { renderHtml } from '../../../web/src/document/render_html.ts';
import { renderText } from '../../../web/src/document/render_text.ts';
import { restOf } from '../../../web/src/document/words.ts';

const kRows = Array.from({ length: 30 }, (_, i) => ({ size_bytes: i * 1024, n: i, name: `name ${i}` }));
const kLast = [{ value: 1 }, { value: 2 }, { value: 'refused' }];
const rest = (shown: number) => restOf(30, shown, 'further row');

const document: Document = {
  command: 'report',
  kind: 'Heap report',
  name: 'a<b>.hgtrace',
  title: 'a "title"',
  notices: ['it is damaged'],
  about: [figures.words('trace', '12 events')],
  figures: [figures.bytes('peak', 2048, '3 blocks', ''), figures.share('share', 0.125)],
  summary: 'All in one sentence.',
  sections: [
    { title: 'Nothing', blocks: [table('', [] as { n: number }[], [['a', 'n']], { label: 'Nothing' })] },
    {
      title: 'Rows',
      blocks: [
        table(
          '',
          kRows,
          [
            ['size', 'size_bytes'],
            ['n', 'n'],
            ['call site', ({ name }) => name],
          ],
          {
            label: 'Rows',
            most: 20,
            rest,
          },
        ),
      ],
    },
    {
      title: 'Parts',
      blocks: [
        paragraph('One <i>sentence</i>.'),
        table(
          '',
          [{ n: 1 }],
          [
            ['n', 'n'],
            ['site', () => 'a call site that is longer'],
          ],
          { label: 'Long' },
        ),
        table('The last', kLast, [['n', 'value']], { from: 'last', most: 2 }),
        list(['first', 'second'], true),
        {
          is: 'comparison',
          label: 'Changes',
          changes: [{ what: 'live', unit: 'bytes', before: 100, after: 150, noise: 7 }],
        },
        {
          is: 'histogram',
          of: 'size',
          unit: 'bytes',
          buckets: [
            { from: 0, to: 0, allocations: 1, bytes: 0 },
            { from: 1024, to: 2047, allocations: 30, bytes: 40_960 },
          ],
        },
        { is: 'plot', name: 'sizes', label: 'Sizes & counts', note: 'A note on the picture.' },
        { is: 'folded', summary: 'More', blocks: [paragraph('What is folded away.')] },
      ],
    },
  ],
  data: { version: 1 },
};

const plain = (html: string) => html.replaceAll('\u202f', ' ');

test('text has the figures, tables set to their columns, and what they leave out', () => {
  const text = renderText(document);
  expect(text).toMatch(/^heapglass report: a<b>\.hgtrace \(a "title"\)\n\n! it is damaged\n\n {2}trace /);
  expect(text).toContain('  trace                   12 events\n  peak                    2 KiB, 3 blocks\n');
  expect(text).toContain(
    '\n  share                   12.5 %\n\nAll in one sentence.\n\nRows\n   size  n  call site\n    0 B  0  name 0\n',
  );
  expect(text).toContain('\n  9 KiB  9  name 9\n  and 20 further rows\n\nParts\n  One <i>sentence</i>.\n');
  expect(text).toContain('\nThe last\n        n\n        1\n        2\n  refused\n'); // 3 of 3: a text shows ten
  expect(text).toContain('\n  1. first\n  2. second\n');
  expect(text).toContain('\n  live: 100 B to 150 B (+50 B, +50 %; noise 7 B)\n');
  expect(text).toMatch(/\n +0 B {2}# {29} +1 +0 B\n +1 KiB to 2 KiB {2}#{30} +30 +40 KiB\n/);
  expect(text).not.toMatch(/Nothing|folded|picture|\u202f/);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(96);
});

test('a page has the same, escaped, with more rows, and what is folded away', () => {
  const page = plain(renderHtml(document));
  for (const part of [
    '<h1>a &quot;title&quot; · a&lt;b&gt;.hgtrace</h1><p>12 events</p>',
    '<dt>peak</dt><dd><strong>2 KiB</strong><span>3 blocks</span></dd>',
    '<tr><th class="text" scope="col">call site</th><th scope="col">size</th><th scope="col">n</th></tr>', // DH3
    '<tr><td class="text">name 19</td><td>19 KiB</td><td>19</td></tr>',
    '<tr><td class="text long">a call site that is longer</td><td>1</td></tr>', // wraps: a phone shows the figures beside it
    '<p class="rest">and 10 further rows</p>',
    '</dl>\n<p>All in one sentence.</p>\n<section>',
    '<p>One &lt;i&gt;sentence&lt;/i&gt;.</p>',
    '<tbody><tr><td>2</td></tr><tr><td>refused</td></tr></tbody>',
    '<ol><li>first</li><li>second</li></ol>',
    '<td class="text">live</td><td>100 B</td><td>150 B</td><td>+50 B</td><td>+50 %</td><td>7 B</td>',
    '<td>1 KiB to 2.00 KiB</td><td>30</td><td>40 KiB</td>',
    '<figure data-plot="sizes" aria-label="Sizes &amp; counts"></figure><p>A note on the picture.</p>',
    '<details><summary>More</summary><p>What is folded away.</p></details>',
  ])
    expect(page).toContain(part);
  expect(page).not.toContain('Nothing');
});

test('the lines of a picture that is drawn already have their colours, light and dark, and its legend', () => {
  const legend = [
    { name: 'fast', light: '#123', dark: '#456' },
    { name: 'hardened', light: '#789', dark: '#abc' },
  ];
  const drawn = { is: 'plot', name: 'curve', label: 'Curve', note: '', svg: '<svg></svg>', legend } as const;
  const page = renderHtml({ ...document, sections: [{ title: 'Curve', blocks: [drawn] }] });
  expect(page).toContain(`:root { --curve-fast: #123; --curve-hardened: #789; }
@media (prefers-color-scheme: dark) { :root { --curve-fast: #456; --curve-hardened: #abc; } }`);
  expect(page).toMatch(/<ul class="legend">.*fast.*hardened.*<\/ul><svg><\/svg><\/figure>/);
});

test('a page without a script may run none, and one with it cannot be left by its data', () => {
  const still = renderHtml(document);
  expect(still).not.toMatch(/<script|script-src/);
  expect(still).toMatch(/<\/section>\s*<\/main>\s*<\/body>\s*<\/html>\n$/);
  const page = renderHtml(document, { text: 'run()', hash: 'abc=', data: { report: { name: '</script><b>' } } });
  expect(page).toContain("script-src 'sha256-abc='; ");
  expect(page).toContain('<script type="application/json" id="report">{"name":"\\u003c/script>\\u003cb>"}</script>');
  expect(page.split('</script>')).toHaveLength(3);
});
