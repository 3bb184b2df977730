// Names and numbers that nobody guesses. getRandomValues is there on every page; randomUUID only on those of a secure context.

const kNameBytes = 16;

/** 32 hexadecimal digits. */
export function unguessableName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(kNameBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
