// The pages of the site: documents of the project under flat names, so that every page lies in one folder and every link is
// relative.
//
//   PG1  A link from one document to another leads to its page. A link to any other file becomes the file's name: the site
//        has no sources.
//   PG2  The menu names each page once.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { withPlots } from './plots/figures.mjs';

/** Titles of the menu, and the documents below each. */
const kMenu = [
  ['Start', ['README.md', 'site/learn.md', 'docs/life_of_an_allocation.md', 'docs/glossary.md']],
  [
    'Guides',
    [
      'docs/recording.md',
      'docs/reports.md',
      'docs/sites.md',
      'docs/attach.md',
      'docs/glass_element.md',
      'docs/scripts.md',
      'docs/instrument.md',
      'docs/diff.md',
      'docs/replay.md',
      'docs/build_systems.md',
      'docs/watched_programs.md',
    ],
  ],
  [
    'The allocator',
    ['docs/malloc.md', 'docs/malloc_figures.md', 'docs/memory_layout.md', 'docs/javascript_heap.md', 'docs/systems.md'],
  ],
  [
    'Reference',
    [
      'reference_c',
      'reference_cpp',
      'reference_javascript',
      'reference_command_line',
      'package/README.md',
      'docs/trace_format.md',
    ],
  ],
  ['Figures', ['docs/measurements.md', 'docs/experiments.md', 'docs/claims.md', 'docs/data_sets.md']],
  ['Inside', ['docs/architecture.md', 'core/README.md', 'docs/testing.md']],
];

const kNames = { 'README.md': 'overview', 'package/README.md': 'package', 'core/README.md': 'core_layers' };

/** A document's page, without extension. */
const pageOf = (path) => {
  const name = basename(path, '.md');
  if (path.startsWith('docs/decisions/')) return `decision_${name}`;
  return kNames[path] ?? name;
};

const titleOf = (text) => /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? 'untitled';

/** @param {string} root @param {Record<string, string>} generated pages that are written, not copied, by name */
export function sitePages(root, generated) {
  const documents = [
    'README.md',
    'package/README.md',
    'core/README.md',
    'site/learn.md',
    ...filesOf(root, 'docs'),
    ...filesOf(root, 'docs/decisions'),
  ];
  const known = new Set(documents);
  const pages = new Map(Object.entries(generated));
  for (const path of documents)
    pages.set(pageOf(path), withLinks(root, path, withPlots(path, readFileSync(join(root, path), 'utf8')), known));
  const menu = kMenu.map(([text, paths]) => ({
    text,
    items: paths.map((path) => ({ text: titleOf(pages.get(pageOf(path)) ?? ''), link: `/${pageOf(path)}` })),
  }));
  const decisions = documents.filter((path) => path.startsWith('docs/decisions/'));
  const items = decisions.map((path) => ({ text: titleOf(pages.get(pageOf(path))), link: `/${pageOf(path)}` }));
  return { pages, menu: [...menu, { text: 'Decisions', items }] };
}

const filesOf = (root, folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

/** PG1 */
function withLinks(root, path, text, known) {
  return text.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, image, words, address) => {
    if (/^(https?:|#|mailto:)/.test(address)) return whole;
    const [file, fragment] = address.split('#');
    const target = normalize(join(dirname(path), file));
    if (image !== '') return `![${words}](./${basename(target)})`;
    if (known.has(target)) return `[${words}](./${pageOf(target)}.md${fragment === undefined ? '' : `#${fragment}`})`;
    if (!existsSync(join(root, target))) throw new Error(`${path}: the link to ${address} leads nowhere`);
    return /`/.test(words) ? words : `${words} (\`${target}\`)`;
  });
}
