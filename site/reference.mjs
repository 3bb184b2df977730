// Reference pages made from what they describe: the public headers, the package's declarations (reference_javascript.mjs), and what
// the command line says of itself.
//
//   RF1  In a C header a comment belongs to the declarations that follow it, up to the next comment or empty line.
//   RF2  In a C++ header the comment at the top is the description; each class or function that follows a comment of its own is
//        an entry.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCommandLine } from '../tools/build_command_line.mjs';
import { javascriptPage } from './reference_javascript.mjs';

const kHeaders = 'core/include/heapglass';
const kCHeaders = ['heapglass.h', 'malloc.h', 'small.h', 'out_of_memory.h', 'discard.h', 'event.h'];
const kCommands = ['run', 'instrument', 'symbolize', 'view', 'report', 'diff', 'replay', 'convert'];

const fence = (language, text) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`;

export async function referencePages(root) {
  return {
    reference_c: cPage(root),
    reference_cpp: cppPage(root),
    reference_javascript: javascriptPage(root),
    reference_command_line: await commandPage(),
  };
}

/** A comment's text, without its marks. */
const commentText = (comment) =>
  comment
    .replace(/^\/\*\s?/, '')
    .replace(/\s*\*\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(\*|\/\/\/?)\s?/, ''))
    .join('\n');

function cPage(root) {
  const parts = ['# C interface\n\nEvery public header that is C, declaration by declaration.\n'];
  for (const name of kCHeaders) {
    const text = readFileSync(join(root, kHeaders, name), 'utf8');
    parts.push(`## heapglass/${name}\n`);
    const about = /^\/\*[\s\S]*?\*\//.exec(text)?.[0] ?? '';
    parts.push(fence('text', commentText(about)));
    for (const [, heading, comment, declaration] of text
      .slice(about.length)
      .matchAll(/\/\* ---- ([^\n]*?) -+ ?\*\/|(\/\*(?:(?!\*\/)[\s\S])*\*\/)\n((?:[^\n/#][^\n]*\n)+)/g)) {
      if (heading !== undefined) parts.push(`### ${heading.replace(/[:.].*$/, '')}\n`);
      else if (/[;{}]/.test(declaration)) parts.push(fence('c', declaration), `${commentText(comment)}\n`);
    }
  }
  return parts.join('\n');
}

function cppPage(root) {
  const parts = ['# C++ headers\n\nEach header compiles alone. `detail` holds what is not public.\n'];
  const names = readdirSync(join(root, kHeaders)).filter((name) => name.endsWith('.hpp'));
  for (const name of names.sort()) {
    const text = readFileSync(join(root, kHeaders, name), 'utf8');
    const about = /^(\/\/[^\n]*\n)+/.exec(text)?.[0] ?? '';
    parts.push(`## ${name}\n`, fence('cpp', `#include <heapglass/${name}>`), fence('text', commentText(about)));
    for (const [, comment, declaration] of text
      .slice(about.length)
      .matchAll(/((?:^\/\/[^\n]*\n)+)((?:^template[^\n]*\n(?:^ {2,}[^\n]*\n)*)?^(?:class|struct)[^\n{;]*)/gm))
      parts.push(fence('cpp', declaration), `${commentText(comment)}\n`);
  }
  return parts.join('\n');
}

async function commandPage() {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-site-'));
  try {
    await buildCommandLine(folder, { page: false });
    const help = (...args) => {
      const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'bin/heapglass.mjs'), ...args, '--help'], {
        encoding: 'utf8',
      });
      if (stdout === '') throw new Error(`heapglass ${args.join(' ')} --help printed nothing: ${stderr}`);
      return fence('text', stdout);
    };
    const parts = ['# heapglass --help\n', help(), ...kCommands.flatMap((name) => [`## ${name}\n`, help(name)])];
    return `${parts.join('\n')}\n[The guide to the commands](./command_line.md) has examples and exit codes.\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
