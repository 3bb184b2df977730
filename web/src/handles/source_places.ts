// Where a frame of JavaScript really is, by the source map of its script: what a bundler or a compiler made of the program's lines is
// undone.
//
//   frame ─▶ script ─ //# sourceMappingURL= ─▶ map, beside it or in it ─▶ file:line
//
//   places.1  A script is read once. Where it, its map or the line in that is not to be had, the frame stays as it is.
//   places.2  Files are named from the script's folder, as the map has them; a web address stays one.
//   places.3  A server may give one file in several forms, by what stands behind its address (`app.ts?worker`): the form that ran is read.

import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { type StackFrame, withoutQuery } from './stack_frames.ts';
import type { Resolve } from './watch.ts';

/** The text of a file or web address, at once or later; undefined: it cannot be had. */
export type ReadText = (place: string) => string | undefined | Promise<string | undefined>;

const kNamesMap = /\/\/[#@] ?sourceMappingURL=([^\s'"]+)[ \t]*$/gm;
const kInline = /^data:application\/json;(?:charset=[^;,]+;)?(base64)?,(.*)$/;

export function sourcePlaces(read: ReadText): Resolve {
  const maps = new Map<string, TraceMap | undefined | Promise<TraceMap | undefined>>();
  return (frame, found) => {
    const script = frame.script.startsWith('file://') ? frame.file : frame.script;
    if (!maps.has(script)) maps.set(script, mapOf(script, frame.file, read));
    const map = maps.get(script);
    after(map, (known) => {
      const place = known === undefined ? undefined : placeIn(known, frame);
      if (place !== undefined) found(place);
    });
  };
}

/** Does it at once where that can be. */
function after<T, U>(it: T | Promise<T>, then: (value: T) => U): U | Promise<U> {
  return it instanceof Promise ? it.then(then) : then(it);
}

function mapOf(script: string, file: string, read: ReadText) {
  const readMap = (text: string | undefined) => {
    const url = [...(text ?? '').matchAll(kNamesMap)].at(-1)?.[1];
    if (url === undefined) return undefined;
    const inline = kInline.exec(url);
    if (inline !== null) return parsed(textOfInline(inline[1] !== undefined, inline[2] ?? ''), file);
    const place = beside(file, url);
    return after(place === undefined ? undefined : read(place), (map) => parsed(map, file));
  };
  return after(read(script), readMap) as TraceMap | undefined | Promise<TraceMap | undefined>;
}

function textOfInline(isBase64: boolean, text: string): string | undefined {
  try {
    if (!isBase64) return decodeURIComponent(text);
    return new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function parsed(map: string | undefined, script: string): TraceMap | undefined {
  if (map === undefined) return undefined;
  try {
    return new TraceMap(map.replace(/^\)\]\}'[^\n]*\n/, ''), script);
  } catch {
    return undefined; // places.1
  }
}

/** A map lies where its script does, or below: no script leads to another place. */
function beside(script: string, url: string): string | undefined {
  const folder = script.slice(0, script.lastIndexOf('/') + 1);
  if (/^[a-z][a-z\d+.-]*:/i.test(url) || url.startsWith('/') || url.split('/').includes('..')) return undefined;
  return folder + url;
}

function placeIn(map: TraceMap, { name, line, column }: StackFrame): StackFrame | undefined {
  const found = originalPositionFor(map, { line, column: Math.max(0, column - 1) });
  if (found.source === null) return undefined;
  const file = withoutQuery(found.source);
  return { name, file, line: found.line, column: found.column + 1, script: file };
}

/** In a page: what it has loaded already comes from its cache. Where its policy or its server forbids that, it is not to be had. */
export function fetchText(place: string): Promise<string | undefined> {
  return fetch(place, { cache: 'force-cache' }).then(
    (response) => (response.ok ? response.text() : undefined),
    () => undefined,
  );
}
