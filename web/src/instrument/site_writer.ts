// What the recorder of an instrumented module asks JavaScript for when it meets a context for the first time: the site of the stack.

import type { StackFrame } from '../handles/stack_frames.ts';
import { EventKind } from '../protocol/event_layout.ts';
import { textRecords } from '../trace/texts.ts';
import { headOf, kEventWords } from '../trace/trace.ts';
import { kTargetSection, readTargets } from './call_targets.ts';
import { CallerBook } from './callers.ts';
import { ContextBook, type ModuleTraits, type Outer } from './context_book.ts';
import { type FramesOf, kNamesSection, readNames } from './names_table.ts';
import { PairTable } from './pair_table.ts';
import { kPlaceSection, readPlaceMap } from './place_map.ts';
import { kDeepest, type NumberOfSite, SiteBook, stackHere } from './site_book.ts';
import { kCaughtSection, kSiteSection, type PlacedCall, readSiteTable } from './site_table.ts';

/** Writes one record. */
export type Put = (head: number, a: number, b: number, c: number) => void;

/** Gives out the numbers of sites and strings: a known one's, or a new one's negated. */
export interface Numbers {
  siteOf(parent: number, call: PlacedCall): number;
  stringOf(call: PlacedCall): number;
  /** Of frames outside of the module, by their texts. */
  siteOfText(parent: number, string: number): number;
  stringOfText(text: string): number;
}

/** The import heapglass.stack of a recorder, which gives the context where the module has them. */
export type AskSite = (context?: bigint) => number;

/** Where JavaScript stands: the script that makes the instance, and what source maps say. */
export interface Outside {
  readonly glue: string;
  placed(frame: StackFrame): StackFrame;
}

/** What a recorder asks of JavaScript. */
export interface SiteAsker {
  readonly stack: AskSite;
  /** The import heapglass.caller: the context of what JavaScript calls here. */
  readonly caller: () => bigint;
}

/** It writes what is new about the tree of sites. */
export function siteAsker(
  module: WebAssembly.Module,
  put: Put,
  { glue, placed }: Outside,
  numbers: Numbers = ownNumbers(),
): SiteAsker {
  /** A number that was given out; a new one is negated, and written. */
  const defined = (number: number, text: () => string): number => {
    if (number > 0) return number;
    putText(text(), put);
    put(headOf(EventKind.stringDefined, 0), -number, 0, 0);
    return -number;
  };
  const below = (site: number, parent: number, string: () => number): number => {
    if (site > 0) return site;
    put(headOf(EventKind.siteDefined, 0), -site, parent, string());
    return -site;
  };
  const siteOfFrame = (parent: number, frame: string): number => {
    const string = defined(numbers.stringOfText(frame), () => frame);
    return below(numbers.siteOfText(parent, string), parent, () => string);
  };
  const framesOf = framesIn(module);
  const siteBelow: NumberOfSite = (parent, call) => {
    const frames = framesOf(call);
    if (frames.length > 0) return frames.reduce(siteOfFrame, parent);
    return below(numbers.siteOf(parent, call), parent, () => defined(numbers.stringOf(call), () => frameOf(call)));
  };
  const callers = new CallerBook(glue, siteOfFrame, placed);
  const [caught] = WebAssembly.Module.customSections(module, kCaughtSection);
  const asker = askerIn(module, siteBelow, {
    outer: () => callers.here(kDeepest),
    putsBack: caught !== undefined,
  });
  return {
    stack: asker?.stack ?? (() => 0),
    caller() {
      const caller = callers.here();
      asker?.begin(caller);
      return caller.context;
    },
  };
}

/** names_table.ts */
function framesIn(module: WebAssembly.Module): FramesOf {
  const [table] = WebAssembly.Module.customSections(module, kSiteSection);
  const [names] = WebAssembly.Module.customSections(module, kNamesSection);
  if (table === undefined || names === undefined) return () => [];
  return readNames(new Uint8Array(names), readSiteTable(new Uint8Array(table)));
}

interface AskerIn {
  readonly stack: AskSite;
  begin(outer: Outer): void;
}

/** Undefined for a module that says of none of its calls where it stood in the original. */
export function askerIn(
  module: WebAssembly.Module,
  siteBelow: NumberOfSite,
  traits: ModuleTraits,
): AskerIn | undefined {
  const [table] = WebAssembly.Module.customSections(module, kSiteSection);
  if (table !== undefined) {
    const numbered = readSiteTable(new Uint8Array(table));
    const calls = new Map(numbered.map((call) => [call.at, call]));
    const [called] = WebAssembly.Module.customSections(module, kTargetSection);
    const targets = called === undefined ? undefined : readTargets(new Uint8Array(called), numbered);
    const book = new ContextBook(calls, siteBelow, new SiteBook((_, at) => calls.get(at), siteBelow), {
      ...traits,
      targets,
    });
    return { stack: (context = 0n) => book.siteOf(context), begin: book.begin.bind(book) };
  }
  const [map] = WebAssembly.Module.customSections(module, kPlaceSection);
  if (map === undefined) return undefined;
  const book = new SiteBook(readPlaceMap(new Uint8Array(map)), siteBelow);
  return { stack: () => book.siteOf(stackHere()), begin() {} };
}

/** Of one thread. `next`: a new number, of any kind. */
export function ownNumbers(next: () => number = counted()): Numbers {
  const strings = new Map<string, number>();
  const sites = new PairTable();
  const siteIn = (parent: number, place: number): number => {
    const known = sites.get(parent, place);
    if (known >= 0) return known;
    const made = next();
    sites.set(parent, place, made);
    return -made;
  };
  const stringIn = (text: string): number => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    const made = next();
    strings.set(text, made);
    return -made;
  };
  return {
    siteOf: (parent, { at }) => siteIn(parent, at),
    stringOf: (call) => stringIn(frameOf(call)),
    siteOfText: (parent, string) => siteIn(parent, kBehindModule + string),
    stringOfText: stringIn,
  };
}

function counted(): () => number {
  let last = 0;
  return () => ++last;
}

/** Of all threads: the recorder has them (known_table.ts). */
export function sharedNumbers(intern: (key: bigint) => number): Numbers {
  const kSites = 1n << 63n;
  const kStrings = kSites | (1n << 62n);
  const kFirstText = 1n << 61n;
  const kTexts = kStrings | kFirstText;
  const pair = (one: number, other: number) => (BigInt(one) << 32n) | BigInt(other);
  return {
    siteOf: (parent, { at }) => intern(kSites | pair(parent, at)),
    stringOf: ({ function: index, original }) => intern(kStrings | pair(index, original + 1)),
    siteOfText: (parent, string) => intern(kSites | pair(parent, kBehindModule + string)),
    stringOfText: (text) => intern(kTexts | (hashOf(text) % kFirstText)),
  };
}

const kBehindModule = 2 ** 31; // no offset of a call

/** FNV-1a, of 64 bits. */
function hashOf(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

const frameOf = ({ function: index, original }: PlacedCall): string =>
  original < 0 ? `wasm-function[${index}]` : `wasm-function[${index}]:0x${original.toString(16)}`;

export function putText(text: string, put: Put): void {
  const words = textRecords(text);
  for (let at = 0; at < words.length; at += kEventWords) {
    put(words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0);
  }
}
