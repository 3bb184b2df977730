// Text from a trace, a file or a message, as a reader may be shown it: what a terminal or a browser would obey, or hide, is written out.
//
//   \x1b [ 2 J    a control character: moves, erases, colours, renames the window          U+0000 to U+001F, U+007F to U+009F
//   \u{202e}      a format character: turns the direction of what follows, joins, is unseen  all of Unicode's class Cf but two
//   \u{2028}      another way to begin a line                                            also half of a surrogate pair
//
//   V1  U+200C and U+200D stay: words of Persian and of Indian languages, and emoji, are written with them.
//   V2  A line is made of one text at most: line breaks are written out too, unless `lines` keeps them.

// Classes: Cc control, Cf format, Zl and Zp separators of lines, Cs halves of a pair.
const kUnseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const kLineCharacters: ReadonlySet<string> = new Set(['\n', '\r', '\t']);
const kShort: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function visible(text: string, { lines = false }: { readonly lines?: boolean } = {}): string {
  return text.replace(kUnseen, (letter) => (lines && kLineCharacters.has(letter) ? letter : writtenOut(letter)));
}

function writtenOut(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return kShort[letter] ?? (code < 0x100 ? `\\x${digits.padStart(2, '0')}` : `\\u{${digits}}`);
}

/** JSON of a value, indented: the same value, without any of these characters outside its escapes. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(kUnseen, (letter) =>
    letter === '\n' ? letter : Array.from({ length: letter.length }, (_, i) => jsonEscape(letter, i)).join(''),
  );
}

const jsonEscape = (letter: string, at: number): string => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`;
