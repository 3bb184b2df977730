// The text the word index begins with: the project's own documentation, fetched only when it is asked for.

const files = import.meta.glob<string>(['../../../../README.md', '../../../docs/**/*.md'], {
  query: '?raw',
  import: 'default',
});

export async function loadDocumentation(): Promise<Uint8Array<ArrayBuffer>> {
  const paths = Object.keys(files).sort();
  const texts = await Promise.all(paths.map((path) => files[path]?.() ?? ''));
  return new TextEncoder().encode(texts.join('\n'));
}
