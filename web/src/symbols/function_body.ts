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
import { kOp, skipBlockType, skipImmediates, skipValueType } from './instructions.ts';

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
}

interface Block {
  readonly op: number;
  readonly entered: boolean;
  /** Its end is reached by a branch, or from an arm that has ended. */
  left: boolean;
  hasElse: boolean;
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
  return { sizeAt, localsAt, codeAt, end: body.end, declaredLocals, localGroups, ...readInstructions(body) };
}

function readInstructions(reader: ByteReader): Pick<FunctionBody, 'calls' | 'returns' | 'references'> {
  const calls: CallSite[] = [];
  const returns: number[] = [];
  const references: number[] = [];
  const blocks: Block[] = [{ op: kOp.block, entered: true, left: false, hasElse: false }];
  let reached = true;

  const branch = (depth: number) => {
    const block = blocks[blocks.length - 1 - depth];
    if (reached && block !== undefined && block.op !== kOp.loop) block.left = true;
  };
  const endArm = () => {
    const block = blocks[blocks.length - 1];
    if (block !== undefined) {
      if (reached) block.left = true;
      reached = block.entered;
    }
    return block;
  };
  const endBlock = () => {
    const block = blocks.pop();
    if (block === undefined) return;
    const skipped = block.op === kOp.if && !block.hasElse && block.entered;
    reached = reached || block.left || skipped;
  };

  while (!reader.isDone) {
    const at = reader.at;
    const op = reader.u8();
    switch (op) {
      case kOp.block:
      case kOp.loop:
      case kOp.if:
      case kOp.try:
        skipBlockType(reader);
        blocks.push({ op, entered: reached, left: false, hasElse: false });
        break;
      case kOp.tryTable: {
        skipBlockType(reader);
        for (let left = reader.unsigned(); left > 0; --left) {
          if (reader.u8() < 2) reader.skipLeb();
          branch(reader.unsigned()); // counted from outside the block
        }
        blocks.push({ op, entered: reached, left: false, hasElse: false });
        break;
      }
      case kOp.else: {
        const block = endArm();
        if (block !== undefined) block.hasElse = true;
        break;
      }
      case kOp.catch:
        reader.skipLeb();
        endArm();
        break;
      case kOp.catchAll:
        endArm();
        break;
      case kOp.delegate:
        reader.skipLeb();
        endBlock();
        break;
      case kOp.end:
        endBlock();
        break;
      case kOp.br:
        branch(reader.unsigned());
        reached = false;
        break;
      case kOp.brIf:
      case kOp.brOnNull:
      case kOp.brOnNonNull:
        branch(reader.unsigned());
        break;
      case kOp.brTable:
        for (let left = reader.unsigned() + 1; left > 0; --left) branch(reader.unsigned());
        reached = false;
        break;
      case kOp.return:
        returns.push(at);
        reached = false;
        break;
      case kOp.unreachable:
      case kOp.throwRef:
        reached = false;
        break;
      case kOp.throw:
      case kOp.rethrow:
        reader.skipLeb();
        reached = false;
        break;
      case kOp.call:
      case kOp.callRef:
        calls.push({ at, op, target: reader.unsigned(), reached });
        break;
      case kOp.callIndirect:
        calls.push({ at, op, target: reader.unsigned(), reached });
        reader.skipLeb();
        break;
      case kOp.returnCall:
      case kOp.returnCallRef:
        calls.push({ at, op, target: reader.unsigned(), reached });
        reached = false;
        break;
      case kOp.returnCallIndirect:
        calls.push({ at, op, target: reader.unsigned(), reached });
        reader.skipLeb();
        reached = false;
        break;
      case kOp.refFunc:
        references.push(reader.unsigned());
        break;
      default:
        skipImmediates(reader, op);
    }
  }
  return { calls, returns, references };
}
