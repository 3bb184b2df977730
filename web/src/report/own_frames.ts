// What of a stack its reader looks for: the program's own frames. operator new, std::vector and the like stand in front of them.
//
//   operator new < std::allocator::allocate < std::vector::push_back < load@load.cpp:12 < main        shown: load < main

import { frameParts } from '../model/time/sites.ts';

const kLibraryName =
  /^(operator new|(void\* )?std::|_ZN?St|_Zn[wa]|__libcpp_|__rust_|__rg_|__rdl_|<?(alloc|core|std)::)/;
const kLibraryFile =
  /(^|\/)(libcxx|libcxxabi|sysroot\/include|system\/lib|c\+\+\/v1|rustc\/\w+|library\/(alloc|core|std))\//;
const kMostLetters = 72; // of a frame in a line

/** From the first frame that is no library's; all when every frame is. */
export function ownFrames(stack: readonly string[]): readonly string[] {
  const first = stack.findIndex((frame) => {
    const { name, file } = frameParts(frame);
    return !kLibraryName.test(name) && !kLibraryFile.test(file);
  });
  return first < 0 ? stack : stack.slice(first);
}

/** function@file:line without the file's folder, for a line of text. */
export function shortFrame(frame: string): string {
  const { name, file, line } = frameParts(frame);
  const short = name.length > kMostLetters ? `${name.slice(0, kMostLetters - 3)}...` : name;
  if (file === '') return short;
  return `${short}@${file.slice(file.lastIndexOf('/') + 1)}${line === 0 ? '' : `:${line}`}`;
}

const kShownFrames = 3;

/** The program's own frames in a line, innermost first: who called malloc, who called that ... */
export function stackText(stack: readonly string[]): string {
  const own = ownFrames(stack);
  return own.slice(0, kShownFrames).map(shortFrame).join(' < ') + (own.length > kShownFrames ? ' < ...' : '');
}
