// A trace of many events and call sites, and what it takes from its bytes to a flame graph.

import { kFormats } from '../../../web/src/convert/formats.ts';
import { renderHtml } from '../../../web/src/document/render_html.ts';
import { flameTree } from '../../../web/src/report/flame_tree.ts';
import { readReport } from '../../../web/src/report/report.ts';
import { reportDocument } from '../../../web/src/report/report_document.ts';
import { readSites } from '../../../web/src/report/site_sums.ts';
import { decodeTraceFile, encodeTraceFile, type TraceFile } from '../../../web/src/trace/trace_file.ts';
import { withSites } from '../../web/model/sited_trace.ts';
import { makeTrace } from '../trace/make_trace.ts';

const kFunctions = 300;

/** Some 4,000 stacks of up to 12 frames, drawn from a tree, so that many begin alike. */
function stackOf(operation: number): readonly string[] {
  let state = Math.imul(operation % 4001, 2654435761) >>> 0;
  const frames = ['main@main.cpp:12'];
  const depth = 3 + (state % 10);
  for (let i = 0; i < depth; ++i) {
    const turn = state % (i < 4 ? 3 : 5);
    frames.push(`work_${(i * 37 + turn * 101) % kFunctions}@part_${i}.cpp:${10 + turn * 7}`);
    state = Math.imul(state, 1664525) + 1013904223;
    state = (state >>> 0) + i;
  }
  return frames;
}

const decoded = (bytes: ArrayBuffer): TraceFile => {
  const read = decodeTraceFile(new Uint8Array(bytes));
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
};

/** The file's bytes; `events` without those of sites. */
export async function makeSited(wasm: string, events: number): Promise<ArrayBuffer> {
  const { trace, wordSize } = decoded(await makeTrace(wasm, events));
  return encodeTraceFile(withSites(trace, stackOf), wordSize, { title: 'many call sites' });
}

export function toFlame(bytes: ArrayBuffer) {
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const file = decoded(bytes);
  const opened = performance.now();
  const { sites } = readSites(file);
  const summed = performance.now();
  const tree = flameTree(sites);
  const end = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  return {
    events: file.trace.count,
    sites: sites.length,
    nodes: tree.nodes.length,
    openMs: opened - begin,
    sumMs: summed - opened,
    treeMs: end - summed,
    wholeMs: end - begin,
    cpuMs: (user + system) / 1000,
  };
}

/** The page, and how long a whole report takes. */
export function toPage(bytes: ArrayBuffer, script: string) {
  const begin = performance.now();
  const { report, sites } = readReport(decoded(bytes), { name: 'bench' });
  const html = renderHtml(reportDocument(report), {
    text: script,
    hash: '',
    data: { report, flame: flameTree(sites) },
  });
  return { html, ms: performance.now() - begin };
}

export async function toProfile(bytes: ArrayBuffer, name: 'pprof' | 'speedscope') {
  const begin = performance.now();
  const content = await kFormats.find((format) => format.name === name)?.write?.(decoded(bytes));
  return { ms: performance.now() - begin, bytes: content?.length ?? 0 };
}
