import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { sourcePlaces } from '../../../web/src/handles/source_places.ts';
import type { StackFrame } from '../../../web/src/handles/stack_frames.ts';

const kSource = '// a comment\n\nexport function open(): void {\n  throw new Error("here");\n}\n';
const { code, map } = transformSync(kSource, {
  loader: 'ts',
  sourcemap: 'external',
  sourcefile: 'open.ts',
  minify: true,
});
const column = code.indexOf('throw') + 1;
const script = 'http://host/dist/app.js';
const frame: StackFrame = { name: 'o', file: script, line: 1, column, script };

/** What is said of the frame by a site with these files. */
function placesIn(
  files: Readonly<Record<string, string>>,
  at: StackFrame = frame,
): { readonly places: StackFrame[]; readonly read: string[] } {
  const read: string[] = [];
  const places: StackFrame[] = [];
  const resolve = sourcePlaces((place) => {
    read.push(place);
    return files[place];
  });
  for (const _ of [1, 2]) resolve(at, (found) => places.push(found));
  return { places, read };
}

const found = { name: 'o', file: 'http://host/dist/open.ts', line: 4 };

test('a map beside the script says where a frame was written, and is read once', () => {
  const named = `${code}//# sourceMappingURL=app.js.map\n`;
  const { places, read } = placesIn({ 'http://host/dist/app.js': named, 'http://host/dist/app.js.map': map });
  expect(places).toMatchObject([found, found]);
  expect(read.length).toBe(2);
});

test('a map inside the script does, too', () => {
  const inline = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  expect(placesIn({ 'http://host/dist/app.js': `${code}${inline}\n` }).places).toMatchObject([found, found]);
});

test('of a script that a server gives in several forms, the form that ran is read', () => {
  const inline = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  const form = 'http://host/dist/app.js?worker_file&in=a/b';
  const files = { [form]: `${code}${inline}\n`, [script]: 'another text' };
  const { places, read } = placesIn(files, { ...frame, script: form });
  expect(places).toMatchObject([found, found]);
  expect(read).toEqual([form]);
  const beside = { [form]: `${code}//# sourceMappingURL=app.js.map`, 'http://host/dist/app.js.map': map };
  expect(placesIn(beside, { ...frame, script: form }).places).toMatchObject([found, found]);
});

test.each([
  ['no script is to be had', {}],
  ['the script names no map', { 'http://host/dist/app.js': code }],
  ['the map is not there', { 'http://host/dist/app.js': `${code}//# sourceMappingURL=app.js.map` }],
  [
    'the map is none',
    { 'http://host/dist/app.js': `${code}//# sourceMappingURL=app.js.map`, 'http://host/dist/app.js.map': '<html>' },
  ],
])('where %s the frame stays as it is', (_, files) => {
  expect(placesIn(files).places).toEqual([]);
});

test('a script leads to no file outside of its folder', () => {
  for (const url of ['../secret.map', '/etc/secret.map', 'file:///etc/secret.map', 'https://other/app.js.map']) {
    const { read } = placesIn({ 'http://host/dist/app.js': `${code}//# sourceMappingURL=${url}` });
    expect(read).toEqual(['http://host/dist/app.js']);
  }
});
