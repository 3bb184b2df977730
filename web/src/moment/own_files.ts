// The visitor's own files, kept in this browser's own file system (OPFS) so that a reload finds them again. Nothing leaves the
// computer.
//
//   own:day.hgtrace   the address of a kept trace: a moment of it has a link that works in this browser
//
//   own.1  Of each kind the newest kKept stay; a file of more than kMostBytes is shown and not kept.
//   own.2  Where the browser keeps nothing (private windows, some file: pages) the file is shown all the same, without an address.

export const kOwn = 'own:';

const kFolder = 'heapglass';
const kKept = 6;
const kMostBytes = 256 * 1024 * 1024;

type Kind = 'trace' | 'by_hand';

/** The file's address from now on; undefined: it is not kept. */
export async function keepTrace(name: string, file: Blob): Promise<string | undefined> {
  return (await writeOwn('trace', name, file)) ? `${kOwn}${name}` : undefined;
}

/** What was kept at an address. */
export async function keptTrace(address: string): Promise<Blob> {
  const name = address.slice(kOwn.length);
  const file = await readOwn('trace', name);
  if (file === undefined) throw new Error(`${name} is not kept in this browser: open it again from where you have it.`);
  return file;
}

/** False: it is not kept. */
export async function writeOwn(kind: Kind, name: string, file: Blob): Promise<boolean> {
  if (file.size > kMostBytes) return false;
  try {
    const folder = await folderOf(kind);
    const handle = await folder.getFileHandle(encodeURIComponent(name), { create: true });
    const writing = await handle.createWritable();
    await writing.write(file);
    await writing.close();
    await prune(folder);
    return true;
  } catch {
    return false; // own.2
  }
}

export async function readOwn(kind: Kind, name: string): Promise<Blob | undefined> {
  try {
    const handle = await (await folderOf(kind)).getFileHandle(encodeURIComponent(name));
    const file = await handle.getFile();
    return new Blob([await file.arrayBuffer()]); // of its own: the kept one may be replaced
  } catch {
    return undefined;
  }
}

export async function removeOwn(kind: Kind, name: string): Promise<void> {
  try {
    await (await folderOf(kind)).removeEntry(encodeURIComponent(name));
  } catch {
    // There was none.
  }
}

async function folderOf(kind: Kind): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return (await root.getDirectoryHandle(kFolder, { create: true })).getDirectoryHandle(kind, { create: true });
}

/** own.1 */
async function prune(folder: FileSystemDirectoryHandle): Promise<void> {
  const files: { readonly name: string; readonly at: number }[] = [];
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind === 'file')
      files.push({ name, at: (await (handle as FileSystemFileHandle).getFile()).lastModified });
  }
  files.sort((one, other) => other.at - one.at);
  for (const { name } of files.slice(kKept)) await folder.removeEntry(name);
}
