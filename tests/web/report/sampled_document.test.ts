// The estimates of a sample as a page and as text: its figures and stacks are in it, text is escaped, nothing is loaded.

import { expect, test } from 'vitest';
import { renderHtml } from '../../../web/src/document/render_html.ts';
import { renderText } from '../../../web/src/document/render_text.ts';
import type { SampledReport } from '../../../web/src/report/sampled.ts';
import { sampledDocument } from '../../../web/src/report/sampled_document.ts';

const kSums = { samples: 12, allocations: 700, live_blocks: 3, peak_blocks: 500 };
const report: SampledReport = {
  sampled: { mean_bytes: 65_536 },
  notices: ['the file was <cut>'],
  totals: { ...kSums, allocated_bytes: 4096, live_bytes: 1024, peak_bytes: 2048, standard_error: 512 },
  sites: [
    {
      ...kSums,
      allocated_bytes: 4096,
      live_bytes: 1024,
      peak_bytes: 2048,
      stack: ['vector<int>::grow@vector.hpp:9', 'main@app.cpp:3'],
    },
  ],
};

test('figures, the site, its stack and what must be known first are in the page', () => {
  const html = renderHtml(sampledDocument('app.hgtrace', report)).replaceAll('\u202f', ' ');
  for (const text of [
    'sampled: one allocation in 65,536 bytes; all figures are estimates from 12 samples',
    'the file was &lt;cut&gt;',
    'standard error 12.5 %',
    '<td>2 KiB</td><td>500</td><td>4 KiB</td><td>700</td><td>1 KiB</td><td>3</td><td>12</td>',
    '<li>vector&lt;int&gt;::grow@vector.hpp:9</li><li>main@app.cpp:3</li>',
  ]) {
    expect(html).toContain(text);
  }
  expect(html).not.toMatch(/<script|src=|href="(?!data:)/);
});

test('the text has the same figures and names the site by its frames', () => {
  const text = renderText(sampledDocument('app.hgtrace', report));
  expect(text).toContain('! the file was <cut>\n');
  expect(text).toContain('\n  allocated               4 KiB, 700 blocks, standard error 12.5 %\n');
  expect(text).toMatch(/\n +2 KiB +500 +4 KiB +700 +1 KiB +3 +12 {2}vector::grow vector\.hpp:9 < main app\.cpp:3\n/);
});

test('without samples it says so', () => {
  const none = renderHtml(sampledDocument('app.hgtrace', { ...report, sites: [] }));
  expect(none).toContain('No sample was taken.');
});

const pageOf = (sites: SampledReport['sites']) =>
  renderHtml(sampledDocument('app.hgtrace', { ...report, sites })).replaceAll('\u202f', ' ');
const siteOf = (...stack: string[]) => ({ ...kSums, allocated_bytes: 4096, live_bytes: 1024, peak_bytes: 2048, stack });

test('a site without a stack is one that is not known', () => {
  const text = renderText(sampledDocument('app.hgtrace', { ...report, sites: [siteOf()] }));
  expect(text).toMatch(/ +12 {2}not known\n/);
  expect(pageOf([siteOf()])).toMatch(/<t[dh][^>]*>not known</);
});

test('of many sites a hundred are in the table and forty with their stacks, of which a line has the first four frames', () => {
  const frames = Array.from({ length: 70 }, (_, nth) => `frame${nth}@a.cpp:${nth + 1}`);
  const sites = Array.from({ length: 120 }, (_, nth) => siteOf(`site${nth}@b.cpp:7`, ...frames));
  const html = pageOf(sites);
  expect(html.match(/at the peak, /g)).toHaveLength(40);
  expect(html).toContain('20 further sites');
  expect(html.match(/<li>site\d+@/g)).toHaveLength(40);
  expect([html.includes('<li>frame62@a.cpp:63</li>'), html.includes('frame63')]).toEqual([true, false]); // 64 with its own
  const text = renderText(sampledDocument('app.hgtrace', { ...report, sites: sites.slice(0, 1) }));
  expect(text).toContain('  site0 b.cpp:7 < frame0 a.cpp:1 < frame1 a.cpp:2 < frame2 a.cpp:3 < ...\n');
});

test('without bytes the error is none', () => {
  const totals = { ...report.totals, allocated_bytes: 0 };
  expect(renderText(sampledDocument('app.hgtrace', { ...report, totals }))).toContain('standard error 0 %');
});
