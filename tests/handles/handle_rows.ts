// Groups of handles as lines of text, and the models that they are read from.

import { handlesOf } from '../../web/src/answers/handles.ts';
import { fileName } from '../../web/src/base/frames.ts';
import { Model } from '../../web/src/model/time/model.ts';
import type { HandleFigures, HandleGroup } from '../../web/src/protocol/handles.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';

export function modelOf(file: Uint8Array): Model {
  const decoded = decodeTraceFile(file);
  if (!decoded.ok) throw new Error(decoded.error.message);
  const model = new Model(decoded.value.trace);
  model.history.fold();
  if (model.history.broken !== undefined) throw new Error(model.history.broken.text);
  return model;
}

export const figuresAt = (model: Model, to: number, from = 0): HandleFigures =>
  handlesOf(model.history, model.at(to).state, { from, to });

export const rowOf = ({ class: name, function: maker, file, line, handles, blocks, size_bytes }: HandleGroup): string =>
  `${name} ${maker} ${fileName(file)}:${line} ${handles} handles, ${blocks} blocks, ${size_bytes} bytes`;

/** The line of a program that ends with this comment. */
export function lineOf(program: string, comment: string): number {
  return program.split('\n').findIndex((line) => line.endsWith(`// ${comment}`)) + 1;
}
