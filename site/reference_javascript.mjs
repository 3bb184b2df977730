// The reference of the package's JavaScript, made from the declarations that the package ships.
//
//   RJ1  Every name that an entry exports has a section, in the entry's order. A name that an earlier entry exports too is named
//        there, and described once.
//   RJ2  An example in a doc comment is code. {@link Heap.share} is the name alone.
//   RJ3  Members are a list when any of them has words; else the declaration is shown whole.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEntry } from './declarations.mjs';

/** The entries with names of their own; `heapglass/inline` has those of `heapglass/full`. */
const kEntries = {
  index: 'heapglass',
  full: 'heapglass/full',
  trace: 'heapglass/trace',
  attach: 'heapglass/attach',
  instrumented: 'heapglass/instrumented',
  visualizer: 'heapglass/visualizer',
  define: 'heapglass/visualizer/define',
};

const kHead = `# JavaScript interface

Every name that the package exports. [The package's guide](./package.md) shows how they are used together.
\`heapglass/inline\` exports the same names as \`heapglass/full\`; its wasm modules are part of the scripts.
`;

export function javascriptPage(root) {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-types-'));
  try {
    const settings = ['-p', join(root, 'tsconfig.package.json'), '--emitDeclarationOnly', '--outDir', folder];
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...settings]);
    const described = new Map();
    const parts = Object.entries(kEntries).map(([file, entry]) =>
      entrySection(entry, readEntry(join(folder, `package/${file}.d.ts`)), described),
    );
    return [kHead, ...parts].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function entrySection(entry, { about, exports }, described) {
  const parts = [`## ${entry}\n`, markdown(about.replace(`${entry}: `, '').replace(/^[a-z]/, upper))];
  for (const { name, file, words, code, members } of exports) {
    if (words === '') throw new Error(`${entry} exports ${name}, whose declaration has no doc comment`);
    const before = described.get(`${file} ${name}`);
    described.set(`${file} ${name}`, before ?? entry);
    parts.push(`### ${name}\n`);
    if (before === undefined) parts.push(markdown(words), declaration(code, members));
    else parts.push(`The same as \`${name}\` of \`${before}\`.\n`); // RJ1
  }
  return parts.join('\n');
}

const upper = (letter) => letter.toUpperCase();

const fence = (code) => `\`\`\`${code.startsWith('<') ? 'html' : 'ts'}\n${code.trimEnd()}\n\`\`\`\n`;

/** RJ3 */
function declaration(code, members) {
  if (members.every(({ words }) => words === '')) return fence(code);
  return [fence(headOf(code)), ...members.map(memberLine).filter(Boolean), ''].join('\n');
}

/** All of a declaration but its members. A function is whole. */
const headOf = (code) => (/^function/.test(code) ? code : code.replace(/ ?\{\n[\s\S]*$/, ''));

/** A getter has the words of both; without a setter it is read only. */
const signature = (code, all) => {
  const name = /^get (\w+)\(\)/.exec(code)?.[1];
  if (name === undefined) return code.replace(/^function /, '').replace(/;$/, '');
  const read = all.some((other) => other.code.startsWith(`set ${name}(`)) ? '' : 'readonly ';
  return code.replace(/^get (\w+)\(\)/, `${read}$1`);
};

const memberLine = ({ code, words }, _at, all) => {
  if (code.startsWith('set ')) return '';
  const line = signature(code, all).replace(/\s+/g, ' ');
  const { text, example } = parted(words);
  const description = text === '' ? '' : `: ${text.replace(/\n+/g, ' ')}`;
  return `- \`${line}\`${description}${example === '' ? '' : `\n\n${indented(fence(example))}`}`;
};

const indented = (text) => text.replace(/^(?=.)/gm, '  ');

/** RJ2 */
function parted(words) {
  const [text = '', ...examples] = words
    .replace(/^@packageDocumentation$/m, '')
    .replace(/\{@link ([\w.]+)\}/g, '`$1`')
    .split(/^@example[ \n]/m);
  return { text: text.trim(), example: examples.join('\n').trim() };
}

function markdown(words) {
  const { text, example } = parted(words);
  return `${text}\n${example === '' ? '' : `\n${fence(example)}`}`;
}
