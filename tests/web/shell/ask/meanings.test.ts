import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { meaningIn } from '../../../../web/src/shell/ask/meanings.ts';

const glossary = readFileSync(new URL('../../../../docs/glossary.md', import.meta.url), 'utf8');
const rows = new Map(
  [...glossary.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].flatMap(([, words = '', meaning = '']) =>
    [...words.matchAll(/\*\*(.+?)\*\*/g)].map(([, word = '']): [string, string] => [word.toLowerCase(), meaning]),
  ),
);

it.each([
  'What is fragmentation?',
  "what's top",
  'what is a hole',
  'what are bins?',
  'what does cached mean',
  'What is the header word',
  'what is the victim',
  'what is a call site',
  'what is a slab',
  'what is a heap',
  'what is a chunk',
  'what is the footprint',
  'what are segments',
  'what is a pool',
  'what is a node',
  'what is verified',
  'what are cache lists',
])('"%s" is answered in the words of the glossary', (asked) => {
  const [word = '', meaning] = (meaningIn(asked) ?? '').replace(/\.$/, '').split(/: (.*)/s);
  expect(rows.get(word)).toBeDefined();
  expect(meaning?.replaceAll('’', "'")).toBe(rows.get(word));
});

it.each(['what leaked', 'what is it', 'what is constructor', 'top', 'who holds top', ''])(
  '"%s" asks for no word',
  (asked) => {
    expect(meaningIn(asked)).toBeUndefined();
  },
);
