// The frames of a call stack as a reader wants them: the program's own first, with file and line. The stack of an allocation begins
// with frames of a library or an allocator (operator new, std::vector, malloc, the code that a tool generated); they are folded.
//
//   malloc < operator new < std::allocator::allocate < std::vector::push_back < load@load.cpp:12 < main        shown: load < main
//
// A frame is a function, or function@file:line. The program's own is the innermost one that is not folded and says where it stands: a
// module without lines is to its user what a library is. Where none says that, it is the innermost one that is not folded.

export interface FrameParts {
  readonly name: string;
  readonly file: string; // '' where it is not known, as line is 0
  readonly line: number;
}

/** function@file:line into its parts. A file may have the same letter in it, as in node_modules/@scope/name; a function's name has none. */
export function frameParts(frame: string): FrameParts {
  const at = frame.indexOf('@');
  if (at <= 0) return { name: frame, file: '', line: 0 };
  const place = /^(.*):(\d+)$/.exec(frame.slice(at + 1));
  if (place === null) return { name: frame.slice(0, at), file: frame.slice(at + 1), line: 0 };
  return { name: frame.slice(0, at), file: place[1] ?? '', line: Number(place[2]) };
}

/** The frame of a function, and where it stands, if that is known. */
export const frameAt = (name: string, at: { readonly file: string; readonly line: number } | undefined): string =>
  at === undefined ? name : `${name}@${at.file}:${at.line}`;

/** C++ and its operator new, Rust's collections and allocator. */
const kLibraryName =
  /^(operator new|(void\* )?std::|_ZN?St|_Zn[wa]|__libcpp_|__rust_|__rg_|__rdl_|__cxa_|<?(alloc|core|std|hashbrown)::)/;
/** Allocators by the whole name of their function, and what wasm-bindgen and AssemblyScript put in front of them. */
const kAllocatorName =
  /^(_*(wrap_|libc_|emscripten_builtin_|dl|em|mi_|hg_)?(malloc|calloc|realloc|reallocf?array|memalign|aligned_alloc|posix_memalign|valloc)|sbrk|__wbindgen_(malloc|realloc)|~lib\/rt\/.*|runtime\.alloc)(\(.*\))?$/;
const kLibraryFile =
  /(^|\/)(node_modules|libcxx|libcxxabi|sysroot\/include|system\/lib|c\+\+\/v1|rustc\/\w+|library\/(alloc|core|std)|hashbrown-[\w.]+|~lib\/rt)\//;
/** A function without a name: as a trace has those of a module that says none. */
const kUnnamed = /^wasm-function\[\d+\]/;
/** What compilers for wasm call a program's main, inside of the main that they write around it. */
const kMainInside = /^__(original_main|main_void|main_argc_argv)$/;
/** Before the name of a function of JavaScript that only passes calls to the module (instrument/callers.ts). */
export const kGlueMark = '(glue) ';
/** Before the name of a function of the program that passes on what others ask of malloc (model/time/wrappers.ts). */
export const kWrapperMark = '(wraps malloc) ';
const kMostLetters = 72; // of a frame in a line

/** A function that has no name: nothing else is known of it. */
export const isUnnamed = (frame: string): boolean => kUnnamed.test(frame);

/** A frame as it was written, without the mark of a function that wraps malloc. */
export const unmarked = (frame: string): string =>
  frame.startsWith(kWrapperMark) ? frame.slice(kWrapperMark.length) : frame;

/** Whether the frame is a library's or an allocator's. */
export function isFolded(frame: string): boolean {
  const { name, file } = frameParts(frame);
  if (name.startsWith(kGlueMark) || name.startsWith(kWrapperMark)) return true;
  return kLibraryName.test(name) || kAllocatorName.test(name) || kLibraryFile.test(file);
}

/** Whether a frame and its caller are the main of one program, written around itself. */
const isMainTwice = (frame: string, caller: string): boolean =>
  caller === 'main' && kMainInside.test(frameParts(frame).name);

/** What a frame is below its caller, once those of libraries are folded: part of the caller, the caller again by its other name, or one more. */
export function foldOf(frame: string, caller: string): 'folded' | 'again' | 'own' {
  if (isFolded(frame)) return 'folded';
  return isMainTwice(frame, caller) ? 'again' : 'own';
}

/** The frames that are the program's own, innermost first; where all are folded, the innermost one. */
export function foldedStack(stack: readonly string[]): readonly string[] {
  const own: string[] = []; // outermost first
  for (const frame of [...stack].reverse()) {
    const fold = foldOf(frame, own[own.length - 1] ?? '');
    if (fold === 'again') own.pop();
    if (fold !== 'folded') own.push(frame);
  }
  return own.length === 0 ? stack.slice(0, 1) : own.reverse();
}

/** From the first frame that is the program's own; all when no frame is. Innermost first. */
export function ownFrames(stack: readonly string[]): readonly string[] {
  let own = -1;
  for (const [at, frame] of stack.entries()) {
    if (isFolded(frame)) continue;
    if (own < 0) own = at;
    if (!hasPlace(frame)) continue;
    own = at;
    break;
  }
  return own < 0 ? stack : stack.slice(own);
}

export const hasPlace = (frame: string): boolean => frameParts(frame).file !== '';

/** load.cpp:12; '' where the frame does not say. */
export function placeOfFrame(frame: string): string {
  const { file, line } = frameParts(frame);
  return file === '' ? '' : `${fileName(file)}${line === 0 ? '' : `:${line}`}`;
}

/**
 * The name of a row and, beside it, its place: load, load.cpp:12. A function of JavaScript without a name, or what a script does outside
 * of all functions, is called by its place alone.
 */
export function labelOfFrame(frame: string): { readonly name: string; readonly place: string } {
  const place = placeOfFrame(frame);
  const { name } = frameParts(frame);
  return name === '(anonymous)' && place !== '' ? { name: place, place: '' } : { name: spokenName(name), place };
}

/** load load.cpp:12, for a row. */
export function rowOfFrame(frame: string): string {
  const { name, place } = labelOfFrame(frame);
  return `${name} ${place}`.trim();
}

/** The file of a path, without its folder. */
export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const shortName = (name: string): string =>
  name.length > kMostLetters ? `${name.slice(0, kMostLetters - 3)}...` : name;

/** `load` (load.cpp:12), for a sentence: the name without parameters, template arguments and unnamed namespaces. */
export function spokenFrame(frame: string): string {
  const { name, place } = labelOfFrame(frame);
  return place === '' ? `\`${name}\`` : `\`${name}\` (${place})`;
}

/** A function's name as one says it. Names of operators and of Rust's traits have brackets of their own: they stay. */
export function spokenName(name: string): string {
  if (kMainInside.test(name)) return 'main';
  if (name.startsWith(kWrapperMark)) return `${kWrapperMark}${spokenName(unmarked(name))}`;
  const plain = name.replaceAll('(anonymous namespace)::', '');
  if (/\boperator\W|^</.test(plain)) return shortName(plain);
  const outside = withoutBrackets(plain);
  return shortName(outside === '' ? plain : outside);
}

/** Up to the first parameter list, without what stands in angle brackets: list<int>::add(int) const becomes list::add. */
function withoutBrackets(name: string): string {
  let depth = 0;
  let kept = '';
  for (const letter of name) {
    if (letter === '(' && depth === 0) break;
    if (letter === '<') depth += 1;
    else if (letter === '>') depth -= 1;
    else if (depth === 0) kept += letter;
  }
  return depth === 0 ? kept.trim() : name;
}

const kShownFrames = 3;

/** The program's own frames in a line, innermost first: who called malloc, who called that ... */
export function stackText(stack: readonly string[], most = kShownFrames): string {
  return lineOf(ownFrames(foldedStack(stack)), most);
}

/** The same with the frames of libraries. */
export const wholeStackText = (stack: readonly string[]): string => lineOf(stack, kShownFrames);

const lineOf = (frames: readonly string[], most: number): string =>
  frames.slice(0, most).map(rowOfFrame).join(' < ') + (frames.length > most ? ' < ...' : '');
