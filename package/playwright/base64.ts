// Bytes as a text and back: what a page and a test say to each other are texts.

const kSpread = 32 * 1024; // arguments of one call

export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += kSpread) text += String.fromCharCode(...bytes.subarray(at, at + kSpread));
  return btoa(text);
}

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
