// heapglass convert in out: a trace into a format of another tool, or what another tool recorded into a trace.
//
//   in ──read (by its extension or --from)──▶ trace ──write (by its extension or --to)──▶ out
//
//   C1  The formats are those of web/src/convert/formats.ts. They are loaded when they are needed, the large libraries
//       of some of them one by one.

import { basename } from 'node:path';
import { formatBytes, formatCount } from '../../web/src/base/format.ts';
import type { Format } from '../../web/src/convert/formats.ts';
import { knownPart } from '../../web/src/report/verdict.ts';
import { readBytes } from './files.ts';
import { say } from './output.ts';
import { Problem } from './problem.ts';
import { refuseSample } from './traces.ts';
import { sayVerdict } from './verdict.ts';
import { refuseOnto, writeOut } from './write_out.ts';

export interface ConvertOptions {
  readonly from?: string;
  readonly to?: string;
}

export async function convert(input: string, output: string, { from, to }: ConvertOptions): Promise<number> {
  const { kFormats, formatOf } = await import('../../web/src/convert/formats.ts');
  const source = from === undefined ? formatOf(input, 'read') : named(kFormats, from);
  const target = to === undefined ? formatOf(output, 'write') : named(kFormats, to);
  if (source?.read === undefined) throw new Problem(cannot('read', from ?? input, '--from', kFormats));
  if (target?.write === undefined) throw new Problem(cannot('write', to ?? output, '--to', kFormats));
  refuseOnto([input], [output], 1);
  const read = await source.read(readBytes(input, 1), { name: basename(input) });
  if (!read.ok) throw new Problem(`"${input}": ${read.error}`);
  const { file, verdict } = knownPart(read.value);
  const code = sayVerdict(input, verdict);
  if (target.name !== 'hgtrace') refuseSample(input, file, 1, `${target.name} would show them as all`);
  const content = await target.write(file);
  writeOut(output, content, 1);
  const bytes = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
  say(`${output}: ${formatCount(file.trace.count)} events as ${target.name}, ${formatBytes(bytes)}`);
  return code;
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
