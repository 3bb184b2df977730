// A Markdown document as blocks of plain text: paragraphs, list items and table cells, with code replaced by one word.

import { toString as textOf } from 'nlcst-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import retextEnglish from 'retext-english';
import { unified } from 'unified';

const markdown = unified().use(remarkParse).use(remarkGfm);
const english = unified().use(retextEnglish);
const kBlocks = new Set(['paragraph', 'heading', 'tableCell']);
const kAllowance = /^<!-- prose: long sentence: \S.* -->$/;
const kCode = 'Code';

/** @typedef {{ line: number, kind: string, text: string, allowed: boolean }} Block */

/** @param {string} text @returns {Block[]} */
export function blocksOf(text) {
  const blocks = [];
  let allowed = false;
  visit(markdown.parse(text));
  return blocks;

  function visit(node) {
    if (node.type === 'html') allowed = kAllowance.test(node.value.trim());
    if (kBlocks.has(node.type)) {
      const plain = plainText(node).replaceAll(/\s+/g, ' ').trim();
      if (plain !== '') blocks.push({ line: node.position.start.line, kind: node.type, text: plain, allowed });
      allowed = false;
      return;
    }
    for (const child of node.children ?? []) visit(child);
  }
}

function plainText(node) {
  if (node.type === 'inlineCode') return kCode;
  if (node.type === 'image') return '';
  if (node.type === 'break') return ' ';
  if (node.type === 'html') return '';
  return node.value ?? (node.children ?? []).map(plainText).join('');
}

/** @param {string} text @returns {{ words: number, text: string }[]} */
export function sentencesOf(text) {
  const sentences = [];
  for (const paragraph of english.parse(text).children) {
    for (const node of paragraph.children ?? []) {
      if (node.type !== 'SentenceNode') continue;
      // A middle dot separates links, a colon before a list of its own does not end a sentence.
      for (const part of textOf(node).split(/ · /)) {
        sentences.push({ words: wordsIn(part).length, text: part });
      }
    }
  }
  return sentences;
}

/** @param {string} text @returns {string[]} */
export const wordsIn = (text) => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.,/_-]*/gu) ?? [];
