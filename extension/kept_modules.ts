// Recorded forms of modules, kept in the browser's database of the extension, by the checksum of the module.
//
//   km.1  Where the browser forbids it, or has no place left, modules are made anew each time.

export const kDatabase = 'heapglass-3'; // raise it when the same module is instrumented otherwise
const kStore = 'modules';

let opened: Promise<IDBDatabase> | undefined;

export async function keptModule(key: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const kept: unknown = await done((await store('readonly')).get(key));
    return kept instanceof Uint8Array ? new Uint8Array(kept.buffer as ArrayBuffer) : undefined;
  } catch {
    return undefined; // km.1
  }
}

export async function keepModule(key: string, bytes: Uint8Array): Promise<void> {
  try {
    await done((await store('readwrite')).put(bytes, key));
  } catch {
    // km.1
  }
}

async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  opened ??= open();
  return (await opened).transaction(kStore, mode).objectStore(kStore);
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(kDatabase, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(kStore);
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
