// The comments of a source in C++ or TypeScript: neighbouring comment lines are one block.

/** @param {string} text @returns {{ line: number, text: string }[]} */
export function commentsOf(text) {
  const blocks = [];
  let open; // the block that the next comment line continues
  for (const [at, line] of text.split('\n').entries()) {
    const comment = /^\s*(?:\/\/+|\/\*+|\*)\s?(.*?)(?:\*\/)?$/.exec(line)?.[1] ?? /\s\/\/ (.*)$/.exec(line)?.[1];
    if (comment === undefined || comment.trim() === '') {
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = { line: at + 1, text: '' };
      blocks.push(open);
    }
    open.text += ` ${comment.trim()}`;
  }
  return blocks;
}
