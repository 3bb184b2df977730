// What the page says of the parts of a link that it cannot read (U2 in url.ts).

/** The sentence about parts that cannot be read: the first three, and of each the first 40 characters. */
export function unreadText(unread: readonly string[]): string {
  const shown = unread.slice(0, 3).map((text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text));
  const more = unread.length > shown.length ? `, and ${unread.length - shown.length} more` : '';
  const parts =
    unread.length === 1 ? 'A part of the link cannot be read and is' : 'Parts of the link cannot be read and are';
  return `${parts} left out: ${shown.join(', ')}${more}.`;
}
