// The tables of a document, each with where it stands and what it is called.

import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const markdown = unified().use(remarkParse).use(remarkGfm);

/**
 * `begin` is where a figure of the table goes: before its bold title, if it has one.
 * @typedef {{ heading: string, title: string, head: string[], rows: string[][], begin: number }} Table
 */

/** @param {string} text of a document @returns {Table[]} */
export function tablesOf(text) {
  const tables = [];
  let heading = '';
  let before;
  for (const node of markdown.parse(text).children) {
    if (node.type === 'heading') heading = wordsOf(node);
    if (node.type === 'table') {
      const [head, ...rows] = node.children.map((row) => row.children.map(wordsOf));
      const title = isTitle(before) ? before : undefined;
      const begin = (title ?? node).position.start.offset;
      tables.push({ heading, title: title === undefined ? '' : wordsOf(title), head, rows, begin });
    }
    before = node;
  }
  return tables;
}

const isTitle = (node) =>
  node?.type === 'paragraph' && node.children.length === 1 && node.children[0].type === 'strong';

const wordsOf = (node) => node.value ?? (node.children ?? []).map(wordsOf).join('');

/** The figures in a cell: "43.68× (90.00×)" has two, "1,244.67×" one, "151.1 ±7 %" too: a spread is not a figure of its own. */
export const figuresIn = (cell) =>
  [...cell.replace(/±.*$/, '').matchAll(/-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?/g)].map(([figure]) =>
    Number(figure.replaceAll(',', '')),
  );
