// Stacks: a pass over the bytes of a module by which every allocation knows in which context it happens.
//
//   global context: i64, exported as heapglass_context        set before each call from which an allocation can be reached
//
//   function f(...)                       P = context * kFactor          one load and one product a call of f
//     ... arguments of g                  context = P + 17               17: the number of this call in the module
//     call g                                                             g finds in context who called it from where, and so on
//     ... arguments of h                  context = P + 18
//     call h
//
//  The context is a number for the whole stack (Michael Bond and Kathryn McKinley, "Probabilistic Calling Context", 2007). The recorder
//  asks the engine for the innermost part of the stack when it sees a number for the first time (context_book.ts), and from then on looks
//  it up.
//
//  S1  A function sets the context from its own local, never from what a callee left there. So calls, exceptions and longjmp need nothing
//      behind them.
//  S2  What JavaScript can call (reach.ts: entries) puts the context back as it was when it returns, so that the next call from
//      JavaScript begins like this one.
//  S3  Two stacks have the same number with a probability of 2^-64 for a pair: 3e-8 for a million different ones.
//  S4  Globals belong to an instance, hence to a thread.
//  S5  Instructions go in between the bytes that are there; nothing else of a function changes. Debug sections and the address of a source
//      map are left out, because they would be wrong: names come from the original (symbols/).
//  S7  So it does when it ends by an exception, which it catches and throws again: main() of Emscripten ends so in every program that goes
//      on behind it. Not in a module with try_table: engines refuse both forms of exceptions in one. There, after a trap, and after
//      an entry that ends in a tail call, the next call from JavaScript begins with another number. That costs looks at the stack, and with
//      S8 also who called.
//  S8  With the import heapglass.called, an entry in the context 0 asks who called it and goes on from that (callers.ts).
//  S6  The section heapglass.sites says for each call where it stands in this module and in the original (site_table.ts), and
//      heapglass.targets what it calls (call_targets.ts).

import {
  ByteReader,
  type CallSite,
  type FunctionBody,
  kOp,
  kSection,
  readModule,
  type Section,
  signedLeb,
  unsignedLeb,
  WasmFileError,
  type WasmModule,
} from '../symbols/index.ts';
import { joined } from '../trace/trace_writer.ts';
import { kTargetSection, writeTargets } from './call_targets.ts';
import { kCalledName } from './callers.ts';
import { kNamesSection, type NamesOf, writeNames } from './names_table.ts';
import { findReach, kSiteImport, type Reach } from './reach.ts';
import { afterNumber, customSection, sectionOf } from './sections.ts';
import { kCaughtSection, kFactor, kSiteSection, matchCalls, type StackedCall, writeSiteTable } from './site_table.ts';

export const kContextExport = 'heapglass_context';

const kI64 = 0x7e;
const kNoResult = 0x40;
const kFunctionForm = 0x60;

export interface Stacked {
  readonly bytes: Uint8Array;
  /** Functions that keep the context, and calls that set it. */
  readonly functions: number;
  readonly calls: number;
}

/** `bytes` has the import heapglass.site and the global; `original` is the module before any tool of ours. */
export function addStacks(bytes: Uint8Array, original: Uint8Array, namesOf?: NamesOf): Stacked {
  const module = readModule(bytes);
  const context = module.exports.find(({ name }) => name === kContextExport)?.index;
  if (context === undefined) throw new WasmFileError(`the module has no global ${kContextExport}`);
  const code = new StackedCode(module, findReach(module), context);
  const placed = matchCalls(module, readModule(original), code.calls);
  const kept = module.sections.filter((section) => !isOutdated(section));
  const parts: Uint8Array[] = [bytes.subarray(0, 8)];
  let at = 8;
  let moved = placed;
  for (const section of kept) {
    const part =
      section.id === kSection.code
        ? sectionOf(kSection.code, code.bytes)
        : section.id === kSection.type
          ? withTypes(bytes, section, code.types)
          : bytes.subarray(section.headerAt, section.end);
    if (section.id === kSection.code) {
      const from = at + part.length - code.bytes.length;
      moved = placed.map((call, index) => ({ ...call, at: from + (code.callsAt[index] ?? 0) }));
    }
    parts.push(part);
    at += part.length;
  }
  parts.push(customSection(kSiteSection, writeSiteTable(moved)), customSection(kTargetSection, writeTargets(moved)));
  if (code.catches) parts.push(customSection(kCaughtSection, new Uint8Array(0)));
  const names = namesOf === undefined ? undefined : writeNames(moved, namesOf);
  if (names !== undefined) parts.push(customSection(kNamesSection, names));
  return { bytes: joined(parts), functions: code.functions, calls: code.calls.length };
}

/** The new code section. */
class StackedCode {
  readonly bytes: Uint8Array;
  readonly calls: StackedCall[] = []; // those that set the context
  /** Where each call stands in `bytes`. */
  readonly callsAt: number[] = [];
  /** Types of blocks that the module does not have. */
  readonly types: Uint8Array[] = [];
  functions = 0;
  private readonly blockTypes = new Map<string, number>();
  private readonly parts: Uint8Array[] = [];
  private size = 0;
  private readonly module: WasmModule;
  private readonly reach: Reach;
  private readonly context: number;
  private readonly called: number; // the import that says who called; -1: not asked for
  readonly catches: boolean; // S7

  constructor(module: WasmModule, reach: Reach, context: number) {
    this.module = module;
    this.reach = reach;
    this.context = context;
    this.called = module.imports.findIndex(
      ({ module: from, name }) => from === kSiteImport.module && name === kCalledName,
    );
    this.catches = !module.bodies.some(({ hasTryTable }) => hasTryTable);
    this.push(unsignedLeb(module.bodies.length));
    module.bodies.forEach((body, index) => {
      this.addBody(body, module.imports.length + index);
    });
    this.bytes = joined(this.parts);
  }

  private push(part: Uint8Array | readonly number[]): void {
    const bytes = part instanceof Uint8Array ? part : Uint8Array.from(part);
    this.parts.push(bytes);
    this.size += bytes.length;
  }

  private addBody(body: FunctionBody, index: number): void {
    const source = this.module.bytes;
    const stacked = body.calls.filter((call) => this.reach.isReached(call));
    if (stacked.length === 0) {
      this.push(source.subarray(body.sizeAt, body.end));
      return;
    }
    ++this.functions;
    const type = this.module.functionTypes[index] ?? 0;
    const { params = 0 } = this.module.types[type] ?? {};
    const product = params + body.declaredLocals;
    const before = product + 1; // the context at entry, in an entry
    const wrap = this.reach.entries.has(index) ? this.blockType(type) : undefined;

    const inserts: { readonly at: number; readonly bytes: readonly number[]; readonly call: CallSite | undefined }[] =
      [];
    stacked.forEach((call, nth) => {
      const number = this.calls.length + nth + 1;
      const sum = [kOp.localGet, ...unsignedLeb(product), kOp.i64Const, ...signedLeb(number), kOp.i64Add];
      inserts.push({ at: call.at, bytes: [...sum, kOp.globalSet, ...unsignedLeb(this.context)], call });
    });
    const restore = [kOp.localGet, ...unsignedLeb(before), kOp.globalSet, ...unsignedLeb(this.context)];
    if (wrap !== undefined) {
      for (const at of body.returns) inserts.push({ at, bytes: restore, call: undefined });
      inserts.sort((one, other) => one.at - other.at);
    }

    const locals = [
      ...unsignedLeb(body.localGroups + 1),
      ...source.subarray(afterNumber(source, body.localsAt), body.codeAt),
    ];
    const prologue = [
      ...[kOp.globalGet, ...unsignedLeb(this.context)],
      ...(wrap === undefined ? [] : [kOp.localTee, ...unsignedLeb(before)]),
      ...(wrap === undefined || this.called < 0 ? [] : this.orCaller(before)),
      ...[kOp.i64Const, ...signedLeb(kFactor), kOp.i64Mul, kOp.localSet, ...unsignedLeb(product)],
      ...(wrap === undefined ? [] : [this.catches ? kOp.try : kOp.block, ...wrap]),
    ];
    const head = [...locals, wrap === undefined ? 1 : 2, kI64, ...prologue];
    const thrown = this.catches ? [kOp.catchAll, ...restore, kOp.rethrow, 0] : [];
    const tail = wrap === undefined ? [] : [...thrown, kOp.end, ...restore, kOp.end];
    const codeEnd = wrap === undefined ? body.end : body.end - 1; // the end of the function becomes that of the block
    const size =
      head.length + (codeEnd - body.codeAt) + tail.length + inserts.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.push(unsignedLeb(size));
    this.push(head);
    let at = body.codeAt;
    for (const insert of inserts) {
      this.push(source.subarray(at, insert.at));
      this.push(insert.bytes);
      at = insert.at;
      if (insert.call === undefined) continue;
      const { at: calledAt, op, target } = insert.call;
      this.calls.push({ function: index, at: calledAt, target: op === kOp.call ? target : -1 });
      this.callsAt.push(this.size);
    }
    this.push(source.subarray(at, codeEnd));
    this.push(tail);
  }

  /** S8. On the stack is the context at entry, which is also in a local. */
  private orCaller(before: number): readonly number[] {
    const context = [kOp.localGet, ...unsignedLeb(before)];
    return [kOp.i64Eqz, kOp.if, kI64, kOp.call, ...unsignedLeb(this.called), kOp.else, ...context, kOp.end];
  }

  /** The type of a block with the function's results. */
  private blockType(type: number): readonly number[] {
    const { results = 0, result = [], resultsKey = '' } = this.module.types[type] ?? {};
    if (results === 0) return [kNoResult];
    if (results === 1) return result;
    const known =
      this.blockTypes.get(resultsKey) ??
      this.module.types.findIndex(({ params, resultsKey: key }) => params === 0 && key === resultsKey);
    const number = known < 0 ? this.module.types.length + this.types.length : known;
    if (known < 0)
      this.types.push(Uint8Array.from([kFunctionForm, 0, ...unsignedLeb(results), ...bytesIn(resultsKey)]));
    this.blockTypes.set(resultsKey, number);
    return signedLeb(number);
  }
}

/** Of the results, as FunctionType.resultsKey has them. */
const bytesIn = (resultsKey: string): number[] => resultsKey.replace(/^.*: /, '').split(' ').map(Number);

function withTypes(bytes: Uint8Array, { from, end }: Section, types: readonly Uint8Array[]): Uint8Array {
  const reader = new ByteReader(bytes, from, end);
  const count = Uint8Array.from(unsignedLeb(reader.unsigned() + types.length));
  return sectionOf(kSection.type, joined([count, bytes.subarray(reader.at, end), ...types]));
}

const isOutdated = ({ name }: Section): boolean => /^(\.debug_|sourceMappingURL$)/.test(name);
