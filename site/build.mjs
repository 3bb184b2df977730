// npm run build:site [-- --out folder]: the site, in build/site_out. Any static host can serve it, below any path.
//
//   documents ──pages.mjs──┐
//   headers, types, --help ──reference.mjs──┴▶ build/site_source ──VitePress──▶ build/site_out ──relative.mjs, policy.mjs──▶ relative, under a policy
//   web ──Vite──▶ build/site_out/glass      the page itself, which the site shows in frames

import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build as buildPage } from 'vite';
import { build as buildSite } from 'vitepress';
import { sitePages } from './pages.mjs';
import { writePolicies } from './policy.mjs';
import { referencePages } from './reference.mjs';
import { makeRelative } from './relative.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'build/site_out') } } });
const out = values.out;
const source = join(root, `build/site_source-${process.pid}`);

try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(source, '.vitepress'), { recursive: true });
  const { pages, menu } = sitePages(root, await referencePages(root));
  for (const [name, text] of pages) writeFileSync(join(source, `${name}.md`), text);
  cpSync(join(root, 'site/index.md'), join(source, 'index.md'));
  cpSync(join(root, 'docs/images'), source, { recursive: true });
  mkdirSync(join(source, 'public'));
  cpSync(join(root, 'web/src/base/icon.svg'), join(source, 'public/icon.svg'));
  cpSync(join(root, 'site/theme'), join(source, '.vitepress/theme'), { recursive: true });
  cpSync(join(root, 'web/src/base/tokens.css'), join(source, '.vitepress/theme/tokens.css'));
  cpSync(join(root, 'site/config.mjs'), join(source, '.vitepress/config.mjs'));
  writeFileSync(join(source, '.vitepress/menu.json'), JSON.stringify(menu));
  symlinkSync(join(root, 'site'), join(source, '.vitepress/site'));
  await buildSite(source, { outDir: out });
  await makeRelative(out);
  writePolicies(out);
  await buildPage({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: join(out, 'glass'), emptyOutDir: true },
  });
  console.log(`the site is in ${out}`);
} finally {
  rmSync(source, { recursive: true, force: true });
}
