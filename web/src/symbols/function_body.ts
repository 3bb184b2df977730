// One function body: where its calls stand, and which of them can be reached.
//
//   size  locals            instructions                                                     end
//        │                 │        ... 0x10 f ...        0x11 type table ...   0x0f ...     │
//     localsAt            codeAt        calls[0].at           calls[1].at      returns[0]   end
//
//   F1  Behind br, return, unreachable and throw nothing is reached up to the end of the block, nor behind a block that no branch leaves
//       and whose own end is not reached. Tools that rewrite a module drop such code; so the calls that are reached are the same, in
//       the same order, before and after.

import type { ByteReader } from './byte_reader.ts';
import { isTypeNumber, kOp, skipBlockType, skipImmediates, skipValueType } from './instructions.ts';

export interface CallSite {
  /** Offset of the opcode in the file. */
  readonly at: number;
  readonly op: number;
  /** The function, or the type of an indirect call. */
  readonly target: number;
  readonly reached: boolean;
}

export interface FunctionBody {
  /** Where its size stands. */
  readonly sizeAt: number;
  readonly localsAt: number;
  readonly codeAt: number;
  readonly end: number;
  readonly declaredLocals: number;
  readonly localGroups: number;
  readonly calls: readonly CallSite[];
  readonly returns: readonly number[];
  /** Functions whose reference is taken here. */
  readonly references: readonly number[];
  /** Where the numbers of these functions, of globals, and of types of blocks stand. */
  readonly referencesAt: readonly number[];
  readonly globalsAt: readonly number[];
  readonly blockTypesAt: readonly number[];
  /** The most blocks that stand in each other. */
  readonly deepest: number;
  /** It catches by try_table, the newer of the two forms, which engines do not take beside the older one. */
  readonly hasTryTable: boolean;
}

export function readFunctionBody(reader: ByteReader): FunctionBody {
  const sizeAt = reader.at;
  const size = reader.unsigned();
  const body = reader.part(size);
  const localsAt = body.at;
  const localGroups = body.unsigned();
  let declaredLocals = 0;
  for (let left = localGroups; left > 0; --left) {
    declaredLocals += body.unsigned();
    skipValueType(body);
  }
  const codeAt = body.at;
  const { calls, returns, references, referencesAt, globalsAt, blockTypesAt, deepest, hasTryTable } =
    readInstructions(body);
  const places = { sizeAt, localsAt, codeAt, end: body.end, declaredLocals, localGroups };
  return { ...places, calls, returns, references, referencesAt, globalsAt, blockTypesAt, deepest, hasTryTable };
}

function readInstructions(reader: ByteReader): Instructions {
  const body = new Instructions(reader);
  while (!reader.isDone) {
    const at = reader.at;
    const op = reader.u8();
    const step = kSteps[op];
    if (step === undefined) skipImmediates(reader, op);
    else step(body, op, at);
  }
  return body;
}

/** What is known of a block, in one number: a module has a hundred thousand blocks. */
const kBlock = {
  isLoop: 1,
  isIf: 2,
  entered: 4,
  /** Its end is reached by a branch, or from an arm that has ended. */
  left: 8,
  hasElse: 16,
} as const;

/** What was found so far, and where the reader stands in the blocks (F1). */
class Instructions {
  readonly calls: CallSite[] = [];
  readonly returns: number[] = [];
  readonly references: number[] = [];
  readonly referencesAt: number[] = [];
  readonly globalsAt: number[] = [];
  readonly blockTypesAt: number[] = [];
  readonly reader: ByteReader;
  reached = true;
  deepest = 0;
  hasTryTable = false;
  readonly #blocks: number[] = [kBlock.entered];

  constructor(reader: ByteReader) {
    this.reader = reader;
  }

  enter(op: number): void {
    this.deepest = Math.max(this.deepest, this.#blocks.length); // the function itself is one of them
    const kind = op === kOp.loop ? kBlock.isLoop : op === kOp.if ? kBlock.isIf : 0;
    this.#blocks.push(kind | (this.reached ? kBlock.entered : 0));
  }

  /** depth: as the instruction counts, from the innermost block. */
  branch(depth: number): void {
    const at = this.#blocks.length - 1 - depth;
    const block = this.#blocks[at];
    if (this.reached && block !== undefined && !(block & kBlock.isLoop)) this.#blocks[at] = block | kBlock.left;
  }

  endArm(isElse = false): void {
    const at = this.#blocks.length - 1;
    const block = this.#blocks[at];
    if (block === undefined) return;
    this.#blocks[at] = block | (this.reached ? kBlock.left : 0) | (isElse ? kBlock.hasElse : 0);
    this.reached = (block & kBlock.entered) !== 0;
  }

  endBlock(): void {
    const block = this.#blocks.pop();
    if (block === undefined) return;
    const skipped = (block & (kBlock.isIf | kBlock.hasElse | kBlock.entered)) === (kBlock.isIf | kBlock.entered);
    this.reached = this.reached || (block & kBlock.left) !== 0 || skipped;
  }

  call(op: number, at: number): void {
    this.calls.push({ at, op, target: this.reader.unsigned(), reached: this.reached });
  }
}

/** at: of the opcode, which has been read. */
type InstructionStep = (body: Instructions, op: number, at: number) => void;

function skipType({ reader, blockTypesAt }: Instructions): void {
  if (isTypeNumber(reader)) blockTypesAt.push(reader.at);
  skipBlockType(reader);
}
const enter: InstructionStep = (body, op) => {
  skipType(body);
  body.enter(op);
};
const useGlobal: InstructionStep = ({ reader, globalsAt }) => {
  globalsAt.push(reader.at);
  reader.skipLeb();
};
const branch: InstructionStep = (body) => body.branch(body.reader.unsigned());
const call: InstructionStep = (body, op, at) => body.call(op, at);
const callIndirect: InstructionStep = (body, op, at) => {
  body.call(op, at);
  body.reader.skipLeb(); // the table
};
const leave: InstructionStep = (body) => {
  body.reached = false;
};
const skipOneAndLeave: InstructionStep = (body) => {
  body.reader.skipLeb();
  body.reached = false;
};

/** By opcode; what stands behind the others is skipped. */
const kSteps: readonly (InstructionStep | undefined)[] = byOpcode({
  [kOp.block]: enter,
  [kOp.loop]: enter,
  [kOp.if]: enter,
  [kOp.try]: enter,
  [kOp.tryTable]: (body, op) => {
    const { reader } = body;
    body.hasTryTable = true;
    skipType(body);
    for (let left = reader.unsigned(); left > 0; --left) {
      if (reader.u8() < 2) reader.skipLeb();
      body.branch(reader.unsigned()); // counted from outside the block
    }
    body.enter(op);
  },
  [kOp.else]: (body) => body.endArm(true),
  [kOp.catch]: (body) => {
    body.reader.skipLeb();
    body.endArm();
  },
  [kOp.catchAll]: (body) => body.endArm(),
  [kOp.delegate]: (body) => {
    body.reader.skipLeb();
    body.endBlock();
  },
  [kOp.end]: (body) => body.endBlock(),
  [kOp.br]: (body, op, at) => {
    branch(body, op, at);
    leave(body, op, at);
  },
  [kOp.brIf]: branch,
  [kOp.brOnNull]: branch,
  [kOp.brOnNonNull]: branch,
  [kOp.brTable]: (body) => {
    for (let left = body.reader.unsigned() + 1; left > 0; --left) body.branch(body.reader.unsigned());
    body.reached = false;
  },
  [kOp.return]: (body, _op, at) => {
    body.returns.push(at);
    body.reached = false;
  },
  [kOp.unreachable]: leave,
  [kOp.throwRef]: leave,
  [kOp.throw]: skipOneAndLeave,
  [kOp.rethrow]: skipOneAndLeave,
  [kOp.call]: call,
  [kOp.callRef]: call,
  [kOp.callIndirect]: callIndirect,
  [kOp.returnCall]: (body, op, at) => {
    call(body, op, at);
    body.reached = false;
  },
  [kOp.returnCallRef]: (body, op, at) => {
    call(body, op, at);
    body.reached = false;
  },
  [kOp.returnCallIndirect]: (body, op, at) => {
    callIndirect(body, op, at);
    body.reached = false;
  },
  [kOp.refFunc]: (body) => {
    body.referencesAt.push(body.reader.at);
    body.references.push(body.reader.unsigned());
  },
  [kOp.globalGet]: useGlobal,
  [kOp.globalSet]: useGlobal,
});

function byOpcode(steps: Readonly<Record<number, InstructionStep>>): (InstructionStep | undefined)[] {
  return Array.from({ length: 256 }, (_, op) => steps[op]);
}
