// The text the word index begins with: the project's own README, fetched only when it is asked for.

export async function loadDocumentation(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: text } = await import('../../../../README.md?raw');
  return new TextEncoder().encode(text);
}
