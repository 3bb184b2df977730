// A text as a part of an address: deflated, its bytes as base64 without signs that an address gives a meaning.
//
//   PT1  unpackText(await packText(t)) is t. What is damaged, or longer than a script may be, gives undefined.

const kMostBytes = 100_000;

export async function packText(text: string): Promise<string> {
  const packed = await new Response(
    new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')),
  ).bytes();
  const binary = Array.from(packed, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** PT1 */
export async function unpackText(packed: string): Promise<string | undefined> {
  try {
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text = '';
    for (let read = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      read += value.length;
      if (read > kMostBytes) {
        void reader.cancel();
        return undefined;
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return undefined;
  }
}
