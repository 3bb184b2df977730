// What the recorder of an instrumented module asks JavaScript for when it meets a context for the first time: the site of the stack.

import { EventKind } from '../protocol/event_layout.ts';
import { textRecords } from '../trace/texts.ts';
import { headOf, kEventWords } from '../trace/trace.ts';
import { ContextBook } from './context_book.ts';
import { kPlaceSection, readPlaceMap } from './place_map.ts';
import { type NumberOfSite, SiteBook, stackHere } from './site_book.ts';
import { kSiteSection, type PlacedCall, readSiteTable } from './site_table.ts';

/** Writes one record. */
export type Put = (head: number, a: number, b: number, c: number) => void;

/** Gives out the numbers of sites and strings: a known one's, or a new one's negated. */
export interface Numbers {
  siteOf(parent: number, call: PlacedCall): number;
  stringOf(call: PlacedCall): number;
}

/** The import heapglass.stack of a recorder, which gives the context where the module has them. */
export type AskSite = (context?: bigint) => number;

/** It writes what is new about the tree of sites. */
export function siteAsker(module: WebAssembly.Module, put: Put, numbers: Numbers = ownNumbers()): AskSite {
  const stringOf = (call: PlacedCall): number => {
    const string = numbers.stringOf(call);
    if (string > 0) return string;
    putText(frameOf(call), put);
    put(headOf(EventKind.stringDefined, 0), -string, 0, 0);
    return -string;
  };
  const siteBelow: NumberOfSite = (parent, call) => {
    const site = numbers.siteOf(parent, call);
    if (site > 0) return site;
    put(headOf(EventKind.siteDefined, 0), -site, parent, stringOf(call));
    return -site;
  };
  return askerIn(module, siteBelow) ?? (() => 0);
}

/** Undefined for a module that says of none of its calls where it stood in the original. */
export function askerIn(module: WebAssembly.Module, siteBelow: NumberOfSite): AskSite | undefined {
  const [table] = WebAssembly.Module.customSections(module, kSiteSection);
  if (table !== undefined) {
    const calls = new Map(readSiteTable(new Uint8Array(table)).map((call) => [call.at, call]));
    const book = new ContextBook(calls, siteBelow, new SiteBook((_, at) => calls.get(at), siteBelow));
    return (context = 0n) => book.siteOf(context);
  }
  const [map] = WebAssembly.Module.customSections(module, kPlaceSection);
  if (map === undefined) return undefined;
  const book = new SiteBook(readPlaceMap(new Uint8Array(map)), siteBelow);
  return () => book.siteOf(stackHere());
}

/** Of a module with one thread. */
function ownNumbers(): Numbers {
  const strings = new Map<string, number>();
  const sites = new Map<number, number>();
  return {
    siteOf: (parent, { at }) => numberIn(sites, parent * kMostBytes + at),
    stringOf: (call) => numberIn(strings, frameOf(call)),
  };
}
const kMostBytes = 2 ** 27; // of a module: that leaves 2^26 sites

/** The number of a key; a new key's negated. */
function numberIn<Key>(numbers: Map<Key, number>, key: Key): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const made = numbers.size + 1;
  numbers.set(key, made);
  return -made;
}

/** Of all threads: the recorder has them (known_table.ts). */
export function sharedNumbers(intern: (key: bigint) => number): Numbers {
  const kSites = 1n << 63n;
  const kStrings = kSites | (1n << 62n);
  const pair = (one: number, other: number) => (BigInt(one) << 32n) | BigInt(other);
  return {
    siteOf: (parent, { at }) => intern(kSites | pair(parent, at)),
    stringOf: ({ function: index, original }) => intern(kStrings | pair(index, original + 1)),
  };
}

const frameOf = ({ function: index, original }: PlacedCall): string =>
  original < 0 ? `wasm-function[${index}]` : `wasm-function[${index}]:0x${original.toString(16)}`;

export function putText(text: string, put: Put): void {
  const words = textRecords(text);
  for (let at = 0; at < words.length; at += kEventWords) {
    put(words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0);
  }
}
