// A report in words: figures, and a section for each question. report_page draws the plots by their names.

import { formatBytes, formatCount } from '../base/format.ts';
import {
  type Block,
  type Document,
  type Figure,
  figures,
  pair,
  paragraph,
  plot,
  type Section,
  section,
} from '../document/document.ts';
import { percent, plural } from '../document/words.ts';
import {
  betweenTable,
  collectedTable,
  eitherSites,
  frequentTable,
  growthSentences,
  growthTable,
  handleTable,
  keeperTable,
  leakingTable,
  leakTable,
  markTable,
  oldestTable,
  poolTable,
  reserveTable,
  siteTable,
} from './report_tables.ts';
import type { Report } from './report_types.ts';

const { bytes, count, share, words } = figures;

export function reportDocument(report: Report): Document {
  const { trace, notices } = report;
  return {
    command: 'report',
    kind: 'Heap report',
    name: trace.name,
    title: trace.title,
    notices,
    about: [
      words('trace', plural(trace.events, 'event'), plural(trace.operations, 'operation')),
      words('heaps, threads', plural(trace.heaps, 'heap'), plural(trace.threads, 'thread')),
      words('proof', proofText(report)),
    ],
    figures: isForeign(report) ? figuresOfBlocks(report) : figuresOfHeap(report),
    summary: '',
    sections: sectionsOf(report),
    data: report,
  };
}

/** Its free memory is unknown, and so is all that follows from it. */
const isForeign = ({ trace }: Report): boolean => trace.word_bytes === 0;

function proofText({ trace: { proof, word_bytes } }: Report): string {
  if (word_bytes === 0) return 'none: of a foreign heap only the blocks are known';
  if (proof === null) return 'no checkpoint';
  return `${proof.equal ? 'equal to' : 'NOT equal to'} the heap's walk at event ${formatCount(proof.event)}`;
}

const at = ({ event, operation }: { readonly event: number; readonly operation: number }): string =>
  `at event ${formatCount(event)}, operation ${formatCount(operation)}`;

/** All figures: those that the blocks give, and those of the heap around them. */
function figuresOfHeap(report: Report): Figure[] {
  const { peak, end, fragmentation, returnable } = report;
  const [live, memory, ...others] = figuresOfBlocks(report);
  const pieces = `the largest chunk ${formatBytes(end.largest_free_bytes)}; cached ${formatBytes(end.cached_bytes)}`;
  const { worst, worst_event, mean } = fragmentation;
  const when = `the worst, at event ${formatCount(worst_event)}; mean ${percent(mean)}, at the end ${percent(fragmentation.end)}`;
  return [
    live,
    bytes('peak with headers', peak.in_use.bytes, at(peak.in_use)),
    bytes('peak of the heaps', peak.footprint.bytes, at(peak.footprint)),
    memory,
    ...others,
    bytes('free at the end', end.free_bytes, pieces),
    bytes('could go back', returnable.end_bytes, whenReturnable(report)),
    share('fragmentation', worst, when),
  ];
}

const whenReturnable = ({ returnable: { most_bytes, at_peak_bytes } }: Report): string =>
  `in whole free pages; at the peak ${formatBytes(at_peak_bytes)}, at most ${formatBytes(most_bytes)}`;

/** Those that are known of a foreign heap too. */
function figuresOfBlocks(report: Report): [Figure, Figure, ...Figure[]] {
  const { trace, totals, peak, end, growths, temporaries } = report;
  const { within_allocations: within } = temporaries;
  const when = within === 1 ? 'the next allocation' : `${formatCount(within)} further allocations`;
  const { granted, refused } = growths;
  // Only growth says how large memory is: without any, all that is known is that the heaps fit into it.
  const isKnown = trace.word_bytes === 0 || granted + refused > 0;
  const memory = isKnown ? peak.memory.bytes : `at least ${formatBytes(peak.memory.bytes)}`;
  const moved = `${formatCount(totals.moved_reallocations)} of them moved ${formatBytes(totals.moved_bytes)}`;
  const withHeaders = isForeign(report) ? [] : [`${formatBytes(end.in_use_bytes)} with headers`]; // as the page has it
  return [
    bytes('peak of live bytes', peak.live.bytes, plural(peak.live.blocks, 'block'), at(peak.live)),
    bytes('peak of linear memory', memory, isKnown ? at(peak.memory) : 'the heaps end there; it was not seen to grow'),
    count(
      'growths of memory',
      granted,
      refused === 0 ? 'none refused' : `${formatCount(refused)} refused`,
      `${plural(growths.of_heaps, 'growth')} of heaps`,
    ),
    count('allocations', totals.allocations, formatBytes(totals.allocated_bytes)),
    count('frees', totals.frees, formatBytes(totals.freed_bytes)),
    count('reallocations', totals.reallocations, moved),
    count('failed calls', totals.failed_calls),
    share('temporaries', temporaries.share, `${plural(temporaries.allocations, 'block')} freed before ${when}`),
    bytes('live at the end', end.live_bytes, plural(end.live_blocks, 'block'), ...withHeaders),
  ];
}

function sectionsOf(report: Report): Section[] {
  const { leaks, growths, advice, lifetimes, sizes } = report;
  const born = lifetimes.by_allocations;
  const unless = (is: boolean, text: string): Block[] => (is ? [] : [paragraph(text)]);
  return [
    section(
      'Memory over time',
      plot('memory', 'Live bytes, bytes in use with headers, and the footprint of the heaps, by event'),
      { is: 'folded', summary: 'Marks', blocks: [markTable(report)] },
    ),
    section('Where blocks come from', ...siteBlocks(report)),
    section(
      'Sizes asked for',
      plot('sizes', 'Allocations by requested size, powers of two'),
      { is: 'histogram', of: 'size', unit: 'bytes', buckets: sizes.histogram },
      frequentTable(report),
    ),
    section(
      'Lifetimes, in allocations made meanwhile',
      plot('lifetimes', 'Freed blocks by the number of allocations made while they lived'),
      { is: 'histogram', of: 'allocations meanwhile', unit: 'count', buckets: born },
      paragraph(`${plural(lifetimes.never_freed, 'block was', 'blocks were')} never freed.`),
    ),
    section(
      'What still lives',
      ...unless(leaks.blocks > 0, 'Every block was freed.'),
      pair(leakTable(report), oldestTable(report)),
    ),
    section('Handles nobody deleted', ...handleBlocks(report)),
    section('Fragmentation', ...(isForeign(report) ? [] : [fragmentationPlot(report)])),
    section(
      'Memory that could go back',
      ...unless(report.returnable.held_by.length > 0, 'No block keeps a page.'),
      keeperTable(report),
    ),
    section(
      'Growth of memory',
      ...unless(growths.granted + growths.refused > 0, withinText(growths.of_heaps)),
      growthTable(report),
      growthSentences(report),
    ),
    section(
      'Advice',
      ...unless(advice.pools.length + advice.reserves.length > 0, 'Nothing asks for a pool or a reserve.'),
      pair(poolTable(report), reserveTable(report)),
    ),
  ];
}

const withinText = (growths: number): string =>
  growths === 0
    ? 'No heap grew.'
    : `Linear memory was not seen to grow; ${plural(growths, 'growth')} of heaps lay within what it had.`;

function siteBlocks(report: Report): Block[] {
  const { totals, sites } = report;
  if (sites.count === 0) return [];
  const known = plural(totals.allocations - sites.unknown.allocations, 'allocation');
  return [
    paragraph(`${known} of ${formatCount(totals.allocations)} came with their call stack.`),
    {
      is: 'switch',
      label: 'Library frames',
      note: 'operator new, std::, malloc: else they are folded into the function that calls them',
    },
    plot('flame', 'Flame graph of the call sites; the table below has the largest'),
    eitherSites(report, siteTable),
    eitherSites(report, leakingTable),
    eitherSites(report, betweenTable),
  ];
}

/** Nothing where no glue has made handles. */
function handleBlocks({ handles, sites: { between } }: Report): Block[] {
  if (handles.made === 0) return [];
  const { made, handles: open, size_bytes, blocks, without_block, collected } = handles;
  const sentences = [
    open === 0
      ? `Of ${plural(made, 'handle')} of embind or wasm-bindgen none holds memory at the end.`
      : `Of ${plural(made, 'handle')} of embind or wasm-bindgen ${formatCount(open)} were not deleted; ${plural(blocks, 'block')} of ${formatBytes(size_bytes)} live for them.`,
    collected === 0
      ? ''
      : `${plural(collected, 'handle was', 'handles were')} collected and deleted late, by the engine's finalizer, which need not run.`,
    without_block === 0
      ? ''
      : `${plural(without_block, 'further handle')} not deleted ${without_block === 1 ? 'points' : 'point'} to no block of ${without_block === 1 ? 'its' : 'their'} own.`,
  ];
  const name = between === null ? undefined : `behind "${between.from.name}" and before "${between.to.name}"`;
  return [
    paragraph(sentences.filter((text) => text !== '').join(' ')),
    handleTable(handles),
    collectedTable(handles),
    ...(handles.between === null ? [] : [handleTable(handles.between, name)]),
  ];
}

function fragmentationPlot({ fragmentation: { worst } }: Report): Block {
  const counted = worst === 0 ? '' : ', counted where at least a tenth of the footprint was free';
  const rule = `One minus the largest free chunk over all free bytes: 0 % is one piece${counted}.`;
  return plot('fragmentation', 'Fragmentation by event', rule);
}
