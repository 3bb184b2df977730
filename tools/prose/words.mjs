// What retext finds in a block: a word twice in a row, "a" before a vowel.

import retextEnglish from 'retext-english';
import retextIndefiniteArticle from 'retext-indefinite-article';
import retextRepeatedWords from 'retext-repeated-words';
import retextStringify from 'retext-stringify';
import { unified } from 'unified';

const checker = unified().use(retextEnglish).use(retextRepeatedWords).use(retextIndefiniteArticle).use(retextStringify);

/** @param {string} text @returns {Promise<string[]>} */
export async function wordProblems(text) {
  const { messages } = await checker.process(text);
  return messages.map(({ reason }) => reason);
}
