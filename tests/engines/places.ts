// The four places where a heap is looked at, served as users serve them: the page, <hg-glass> and a program in pages of the installed
// package, a report's file, the site.

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { builtPage, builtSite } from '../../tools/built.mjs';
import { compileProgram } from '../attach/pages.ts';
import { installPacked, root } from '../package/installed.ts';
import { kIsolated, serve } from '../package/static_server.ts';
import { kListener } from './engines.ts';

export interface Places {
  readonly page: string;
  readonly glass: string;
  readonly program: string;
  readonly report: string;
  readonly reportFile: string;
  readonly site: string;
  /** An empty page, for a frame. */
  readonly frame: string;
  /** A trace with call sites, on disk. */
  readonly trace: string;
  dispose(): void;
}

const kTrace = join(root, 'web/public/traces/words.hgtrace');

const kGlass = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <title>A trace</title>
  <link rel="icon" href="data:," />
  <body style="margin: 0">
    <hg-glass src="trace.hgtrace" moment="event=12000" style="height: 100vh"></hg-glass>
    <script type="module" src="./node_modules/heapglass/dist/visualizer/define.js"></script>
  </body>
</html>
`;

const kEmpty =
  '<!doctype html><html lang="en"><title>A frame</title><link rel="icon" href="data:,"><body style="margin: 0"></body></html>\n';

/** Makes what is missing: a minute or two.  */
export async function startPlaces(): Promise<Places> {
  const installed = installPacked(fileURLToPath(new URL('../attach/fixtures', import.meta.url)));
  compileProgram(installed);
  copyFileSync(kTrace, join(installed.folder, 'trace.hgtrace'));
  writeFileSync(join(installed.folder, 'glass.html'), kGlass);
  writeFileSync(join(installed.folder, 'frame.html'), kEmpty);
  installed.run('npx', 'heapglass', 'report', 'trace.hgtrace', '--html', 'report.html');
  const site = builtSite();
  const servers = await Promise.all(
    [[builtPage(), kIsolated] as const, [installed.folder, {}] as const, [site, {}] as const].map(([folder, headers]) =>
      serve(folder, headers, kListener),
    ),
  );
  const [page = '', project = '', pages = ''] = servers.map(({ address }) => address);
  return {
    page: `${page}/index.html`,
    glass: `${project}/glass.html`,
    program: `${project}/two_lines.html`,
    report: `${project}/report.html`,
    reportFile: pathToFileURL(join(installed.folder, 'report.html')).href,
    site: `${pages}/index.html`,
    frame: `${project}/frame.html`,
    trace: kTrace,
    dispose() {
      for (const { close } of servers) close();
      installed.dispose();
    },
  };
}
