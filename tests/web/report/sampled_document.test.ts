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
