// How hard a document is to read: its words, the length of its sentences, and two grades (years of school).
//
// Only paragraphs and list items count; table cells and headings are rarely sentences.

import { automatedReadability } from 'automated-readability';
import { fleschKincaid } from 'flesch-kincaid';
import { syllable } from 'syllable';
import { blocksOf, sentencesOf, wordsIn } from './blocks.mjs';

/** @param {string} text of a document @returns {[number, number, number, number, number]} */
export function measures(text) {
  const sentences = blocksOf(text)
    .filter(({ kind }) => kind === 'paragraph')
    .flatMap((block) => sentencesOf(block.text));
  const words = sentences.flatMap((sentence) => wordsIn(sentence.text));
  const counts = {
    sentence: sentences.length,
    word: words.length,
    syllable: words.reduce((sum, word) => sum + Math.max(1, syllable(word)), 0),
    character: words.reduce((sum, word) => sum + word.length, 0),
  };
  return [
    counts.word,
    rounded(counts.word / counts.sentence),
    Math.max(...sentences.map((sentence) => sentence.words)),
    rounded(fleschKincaid(counts)),
    rounded(automatedReadability(counts)),
  ];
}

const rounded = (value) => Math.round(10 * value) / 10;
