// heaptrack's interpreted text (what heaptrack_interpret writes, version 1 to 3): its allocations and frees, replayed.
//
//   line     numbers are hexadecimal                                 a  index: size, place it came from  (from 0 on)
//   v X "heaptrack" ...   s, t, i, c, R, I, X, A, S  others, passed over      +  index: allocated      -  index: freed
//
//   An allocation info (a) is a size and a place, not a block: of equal ones the one allocated last is freed.

import { failure, type Result, success } from '../base/result.ts';
import { OperationKind, OperationList } from '../replay/operation_list.ts';
import { BlockIds } from './operation_lists.ts';

const kKnown = /^[vsticRIXASam#+-]/;

export function readHeaptrack(text: string): Result<OperationList, string> {
  const list = new OperationList();
  const ids = new BlockIds();
  const sizes: number[] = [];
  const live: number[] = []; // by info: how many blocks
  let number = 0;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length : end + 1;
    number += 1;
    const mode = line[0];
    const wrong = (what: string) =>
      failure(`line ${number}: ${what}; heaptrack_interpret writes "a 40 1", "+ 0", "- 0"`);
    if (mode === undefined) continue;
    if (!kKnown.test(mode)) return wrong(`"${line.slice(0, 20)}" is no line of heaptrack`);
    if (mode !== 'a' && mode !== '+' && mode !== '-') continue;
    const value = Number.parseInt(line.slice(2), 16);
    if (!(value >= 0 && value < 2 ** 32)) return wrong(`"${line.slice(0, 20)}" has no number`);
    if (mode === 'a') {
      sizes.push(value);
      live.push(0);
      continue;
    }
    const size = sizes[value];
    const count = live[value] ?? 0;
    if (size === undefined) return wrong(`there is no allocation ${value}`);
    if (mode === '+') {
      const id = ids.begin(`${value}/${count}`);
      if (id === undefined) return wrong('too many blocks are live');
      list.add(OperationKind.malloc, id, size);
      live[value] = count + 1;
    } else if (count > 0) {
      const name = `${value}/${count - 1}`;
      list.add(OperationKind.free, ids.of(name) ?? 0, 0);
      ids.end(name);
      live[value] = count - 1;
    }
  }
  return list.count === 0 ? failure('there is no allocation in it') : success(list);
}
