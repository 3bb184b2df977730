// One call site, as a question names it: function@file:line as a row of a list has it, or what a person types.
//
//   one.S1  A frame that is called exactly so is it; else each whose name without parameters is so, whatever the case of its letters, or
//           whose file:line is; else each that has it in its name.
//   one.S2  Its blocks are those whose own frame it is, or whose innermost one (operator new, when library frames are unfolded). With what
//           it calls: those that have it anywhere on their stack, so that recursion counts once.
//   one.S3  Of a function that has no block itself, what it calls is the answer.

import { frameParts, placeOfFrame, spokenFrame, spokenName, unmarked } from '../base/frames.ts';
import type { History } from '../model/time/history.ts';
import { ownFrameAt, sitesThrough } from '../model/time/own_frames.ts';
import type { AnswerSite, BlockRanges, Question } from '../protocol/answers.ts';
import type { Known } from './ask.ts';
import { heldByOwnFrame, type IsWanted, ownFrameOf, rangesOfSites, type SiteSum, sumBySite } from './held.ts';

export interface FoundSite {
  readonly spoken: string;
  readonly frames: number; // of the trace that are called so; 0: none is
  readonly through: boolean;
  readonly isAll: boolean; // S3
  /** Of blocks in use, by their own frames. */
  readonly sites: readonly AnswerSite[];
  readonly isWanted: IsWanted;
}

export function findSite(
  { history }: Known,
  text: string,
  through: boolean,
  sums: ReadonlyMap<number, SiteSum>,
): FoundSite {
  const frames = framesCalled(history, text);
  const itself = isWantedOf(history, frames, false);
  const below = isWantedOf(history, frames, true);
  const has = (isWanted: IsWanted) => [...sums.keys()].some(isWanted);
  const isAll = !through && !has(itself) && has(below);
  const isWanted = through || isAll ? below : itself;
  const sites = heldByOwnFrame(history, new Map([...sums].filter(([site]) => isWanted(site))));
  return { spoken: spokenOf(frames, text), frames: frames.size, through, isAll, sites, isWanted };
}

/** S1 */
function framesCalled({ sites }: History, text: string): ReadonlySet<string> {
  const all = new Set<string>();
  for (const { frame } of sites.all()) all.add(frame);
  if (all.has(text)) return new Set([text]);
  const said = text.toLowerCase();
  const matching = (matches: (frame: string) => boolean) => new Set([...all].filter(matches));
  const called = matching((frame) => {
    const { name } = frameParts(unmarked(frame));
    return [name, spokenName(name), placeOfFrame(frame)].some((known) => known.toLowerCase() === said);
  });
  return called.size > 0 ? called : matching((frame) => frameParts(frame).name.toLowerCase().includes(said));
}

/** S2 */
function isWantedOf({ sites }: History, frames: ReadonlySet<string>, through: boolean): IsWanted {
  if (through) {
    const found = sitesThrough(sites, (frame) => frames.has(frame));
    return (site) => found.has(site);
  }
  return (site) => frames.has(ownFrameAt(sites, site)) || frames.has(sites.at(site)?.frame ?? '');
}

function spokenOf(frames: ReadonlySet<string>, text: string): string {
  const [first] = frames;
  if (first === undefined) return `\`${text}\``;
  if (frames.size === 1) return spokenFrame(unmarked(first));
  const names = new Set([...frames].map((frame) => spokenName(frameParts(unmarked(frame)).name)));
  const [name] = names;
  return names.size === 1 && name !== undefined ? `\`${name}\`` : `what has \`${text}\` in its name`;
}

/** The blocks whose own frame is the site's. */
export function wantedOfSite(history: History, { function: name, file, line }: AnswerSite): IsWanted {
  const known = new Map<number, boolean>();
  return (site) => {
    const before = known.get(site);
    if (before !== undefined) return before;
    const own = frameParts(ownFrameOf(history, site));
    const isOf = own.name === name && own.file === file && own.line === line;
    known.set(site, isOf);
    return isOf;
  };
}

/** All blocks of an answer about sites; undefined: it is about something else. */
export function rangesOf(known: Known, question: Question, first: AnswerSite | undefined): BlockRanges | undefined {
  if (question.ask !== 'holds' && question.ask !== 'leaked') return undefined;
  const { history, state, heap } = known;
  const ranges = (isWanted: IsWanted) => rangesOfSites(history, state, heap, isWanted);
  if (question.ask === 'holds' && question.site !== undefined) {
    const sums = sumBySite(history, state, heap);
    return ranges(findSite(known, question.site, question.through === true, sums).isWanted);
  }
  return first === undefined ? undefined : ranges(wantedOfSite(history, first));
}
