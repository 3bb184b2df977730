// The public exports of a declaration file, each with its words, its code and its members. Where the export is a re-export, the
// file that declares the name is read too.
//
//   DC1  The words of a declaration are the doc comment directly before it. Overloads share the first one's words.
//   DC2  Code is the declaration as the package ships it, without comments, without `export declare` and without private parts.
//   DC3  A member is a field or function of an interface, class, object type or namespace. It has words of its own or none.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from '@babel/parser';

/** @param {string} path a .d.ts file. Its own words, and its exports in the order in which it lists them. */
export function readEntry(path) {
  const module = readModule(path);
  const about = docOf(module.nodes[0] ?? { leadingComments: [] });
  const names = module.nodes.flatMap(exportedNames);
  return { about, exports: names.map((name) => ({ name, ...exportOf(path, name) })) };
}

const exportedNames = (node) => {
  if (node.type === 'ExportAllDeclaration') throw new Error('an entry that exports * does not list its names');
  if (node.type !== 'ExportNamedDeclaration') return [];
  return node.declaration ? namesOf(node.declaration) : node.specifiers.map(({ exported }) => exported.name);
};

/** What the file exports under a name: `file` is where it is declared, so that two entries can be compared. */
function exportOf(path, name) {
  const module = readModule(path);
  const declared = module.nodes.filter((node) => namesOf(node.declaration ?? node).includes(name));
  if (declared.length > 0) return describe(path, module, declared);
  for (const node of module.nodes) {
    const bound = node.specifiers?.find((specifier) => boundName(specifier) === name);
    if (bound === undefined) continue;
    if (node.source === null) return exportOf(path, bound.local.name);
    return exportOf(join(dirname(path), declarationFile(node.source.value)), (bound.imported ?? bound.local).name);
  }
  throw new Error(`${path} exports ${name}, but does not declare it`);
}

/** The name that the rest of the file, or its reader, knows it by. */
const boundName = (specifier) => (specifier.exported ?? specifier.local).name;
const declarationFile = (specifier) => specifier.replace(/\.(ts|js)$/, '.d.ts');

const namesOf = (node) =>
  (node.declarations ?? [node]).flatMap(({ id }) => (id?.type === 'Identifier' ? [id.name] : []));

const modules = new Map();
function readModule(path) {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(path, 'utf8');
  const { program, comments } = parse(text, { sourceType: 'module', plugins: [['typescript', { dts: true }]] });
  const module = { text, comments, nodes: program.body };
  modules.set(path, module);
  return module;
}

/** DC1, DC2 */
function describe(path, module, nodes) {
  const spaces = nodes.filter(({ declaration }) => declaration?.type === 'TSModuleDeclaration');
  const others = nodes.filter((node) => !spaces.includes(node));
  return {
    file: path,
    words: nodes.map(docOf).find((words) => words !== '') ?? '',
    code: others.map((node) => codeOf(module, node)).join('\n'),
    members: [...others.flatMap((node) => membersOf(module, node)), ...spaces.flatMap((node) => inSpace(path, node))],
  };
}

/** DC3: what is assigned to a function, for instance `attach.toPage`. */
const inSpace = (path, { declaration }) =>
  declaration.body.body
    .flatMap(({ specifiers }) => specifiers ?? [])
    .map(({ local, exported }) => {
      const { code, words } = exportOf(path, local.name);
      return { code: code.replace(local.name, `${declaration.id.name}.${exported.name}`), words };
    });

/** DC3 */
function membersOf(module, node) {
  const declaration = node.declaration ?? node;
  const type = declaration.body ?? declaration.declarations?.[0]?.id.typeAnnotation?.typeAnnotation ?? {};
  const members = type.body ?? type.members ?? [];
  return (Array.isArray(members) ? members : [])
    .filter(({ key }) => key === undefined || key.type !== 'PrivateName')
    .map((member) => ({ code: codeOf(module, member).replace(/;$/, ''), words: docOf(member) }));
}

const docOf = ({ leadingComments = [] }) => {
  const last = leadingComments?.findLast(({ value }) => value.startsWith('*'))?.value ?? '';
  return last
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
};

/** DC2 */
function codeOf({ text, comments }, { start, end }) {
  let code = '';
  let at = start;
  for (const comment of comments.filter((one) => one.start >= start && one.end <= end)) {
    code += text.slice(at, comment.start);
    at = comment.end;
  }
  return (code + text.slice(at, end))
    .replace(/^(?:export )?(?:declare )?/, '')
    .replace(/^\s*#private;\n/gm, '')
    .replace(/^\s*\n/gm, '');
}
