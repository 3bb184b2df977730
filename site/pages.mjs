// The pages of the site: documents of the project under flat names, so that every page lies in one folder and every link is
// relative.
//
//   PG1  A link from one document to another leads to its page. A link to any other file becomes the file's name: the site
//        has no sources.
//   PG2  The menu is docs/README.md: its shelves, their parts, and their links in order. Every document is on a shelf, once; the
//        decisions stand there as a folder.
//   PG3  What is made from a source (reference.mjs) has the page of the source that docs/README.md names.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { withPlots } from './plots/figures.mjs';

const kShelves = 'docs/README.md';
const kDecisions = 'docs/decisions';

const kNames = {
  'README.md': 'overview',
  'package/README.md': 'package',
  'core/README.md': 'core_layers',
  [kShelves]: 'documents',
};

/** PG3: the pages of a source, the one that a link leads to first. */
const kGenerated = {
  'core/include/heapglass/heapglass.h': ['reference_c', 'reference_cpp'],
  'package/index.ts': ['reference_javascript'],
  'package/cli/main.ts': ['reference_command_line'],
};

/** A document's page, without extension. */
export const pageOf = (path) => {
  const name = basename(path, '.md');
  if (path.startsWith('docs/decisions/')) return `decision_${name}`;
  return kNames[path] ?? name;
};

const titleOf = (text) => /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? 'untitled';

/** @param {string} root @param {Record<string, string>} generated pages that are written, not copied, by name */
export function sitePages(root, generated) {
  const decisions = filesOf(root, kDecisions);
  const documents = [
    'README.md',
    'package/README.md',
    'core/README.md',
    'site/learn.md',
    ...filesOf(root, 'docs'),
    ...decisions,
  ];
  const known = new Set(documents);
  const pages = new Map(Object.entries(generated));
  for (const path of documents)
    pages.set(pageOf(path), withLinks(root, path, withPlots(path, readFileSync(join(root, path), 'utf8')), known));
  const menu = shelvesOf(readFileSync(join(root, kShelves), 'utf8')).map(({ text, parts }) => ({
    text,
    items: parts.flatMap((part) => {
      const items = part.links.flatMap(({ words, target }) => {
        const names = pagesOf(target, known, decisions);
        return names.map((name) => ({ text: names.length === 1 ? words : titleOf(pages.get(name)), link: `/${name}` }));
      });
      return part.text === undefined ? items : [{ text: part.text, items }];
    }),
  }));
  const shelved = linksIn(menu);
  for (const page of pages.keys()) {
    const times = shelved.filter((link) => link === `/${page}`).length;
    if (page !== pageOf(kShelves) && times !== 1) throw new Error(`${kShelves} names ${page} ${times} times, not once`);
  }
  return { pages, menu: [{ text: titleOf(pages.get(pageOf(kShelves))), link: `/${pageOf(kShelves)}` }, ...menu] };
}

/** PG2: headings of the second level are shelves, those of the third parts of a shelf. */
function shelvesOf(text) {
  const shelves = [];
  for (const line of text.split('\n')) {
    const [, level, title] = /^(##+) (.+)$/.exec(line) ?? [];
    if (level === '##') shelves.push({ text: title, parts: [{ text: undefined, links: [] }] });
    else if (level === '###') shelves.at(-1).parts.push({ text: title, links: [] });
    const [, words, address] = /^- \[([^\]]+)\]\(([^)]+)\)/.exec(line) ?? [];
    if (address === undefined) continue;
    shelves
      .at(-1)
      .parts.at(-1)
      .links.push({ words, target: normalize(join(dirname(kShelves), address)) });
  }
  return shelves;
}

/** The pages that a link of docs/README.md stands for. */
function pagesOf(target, known, decisions) {
  if (target === `${kDecisions}/`) return decisions.map(pageOf);
  if (known.has(target)) return [pageOf(target)];
  return kGenerated[target] ?? [];
}

const linksIn = (items) => items.flatMap(({ link, items: inner }) => [link, ...linksIn(inner ?? [])]);

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
    if (kGenerated[target] !== undefined) return `[${words}](./${kGenerated[target][0]}.md)`; // PG3
    return /`/.test(words) ? words : `${words} (\`${target}\`)`;
  });
}
