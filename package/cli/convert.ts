// heapglass convert in out: a trace into a format of another tool, or what another tool recorded into a trace.
//
//   in ──read (by its extension or --from)──▶ trace ──write (by its extension or --to)──▶ out
//
//   C1  The formats are those of web/src/convert/formats.ts. They are loaded when they are needed, the large libraries
//       of some of them one by one.

import { basename } from 'node:path';
import { formatBytes, formatCount } from '../../web/src/base/format.ts';
import type { Format } from '../../web/src/convert/formats.ts';
import { readBytes, refuseSample } from './files.ts';
import { say } from './output.ts';
import { Problem } from './problem.ts';
import { refuseOnto, writeOut } from './write_out.ts';

export interface ConvertOptions {
  readonly from?: string;
  readonly to?: string;
}

export async function convert(input: string, output: string, { from, to }: ConvertOptions): Promise<void> {
  const { kFormats, formatOf } = await import('../../web/src/convert/formats.ts');
  const source = from === undefined ? formatOf(input, 'read') : named(kFormats, from);
  const target = to === undefined ? formatOf(output, 'write') : named(kFormats, to);
  if (source?.read === undefined) throw new Problem(cannot('read', from ?? input, '--from', kFormats));
  if (target?.write === undefined) throw new Problem(cannot('write', to ?? output, '--to', kFormats));
  refuseOnto([input], [output], 1);
  const read = await source.read(readBytes(input, 1), { name: basename(input) });
  if (!read.ok) throw new Problem(`"${input}": ${read.error}`);
  if (read.value.notice !== undefined) say(`${input}: ${read.value.notice}`);
  if (target.name !== 'hgtrace') refuseSample(input, read.value, 1, `${target.name} would show them as all`);
  const content = await target.write(read.value);
  writeOut(output, content, 1);
  const bytes = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
  say(`${output}: ${formatCount(read.value.trace.count)} events as ${target.name}, ${formatBytes(bytes)}`);
}

/** The formats for the help of the command. */
export async function formatList(): Promise<string> {
  const { kFormats } = await import('../../web/src/convert/formats.ts');
  const line = ({ name, what, extensions, read, write }: Format) => {
    const ways = [...(read === undefined ? [] : ['in']), ...(write === undefined ? [] : ['out'])].join(', ');
    return `  ${name.padEnd(10)} ${ways.padEnd(8)} ${extensions.join(' ').padEnd(28)} ${what}`;
  };
  return `\nFormats:\n${kFormats.map(line).join('\n')}\n`;
}

const named = (formats: readonly Format[], name: string): Format | undefined =>
  formats.find((format) => format.name === name);

function cannot(what: 'read' | 'write', name: string, option: string, formats: readonly Format[]): string {
  const known = formats.filter((format) => format[what] !== undefined).map((format) => format.name);
  const isFormat = formats.some((format) => format.name === name);
  const why = isFormat
    ? `${name} is a format that is not ${what === 'read' ? 'read' : 'written'}`
    : `no format of "${name}" is known`;
  return `${why}; ${option} takes ${known.join(', ')}`;
}
