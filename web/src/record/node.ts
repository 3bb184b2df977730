// What a recorder uses of Node where it runs there. A page has none of it, and nothing is imported.

interface NodeFiles {
  openSync(path: string, flags: 'w'): number;
  writeSync(file: number, bytes: Uint8Array, from: number): number;
  closeSync(file: number): void;
}

export interface NodeProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly argv: readonly string[];
  /** Trace files that recorders of this process have begun. */
  heapglassFiles?: number;
  /** drain_watch.ts */
  heapglassDrains?: (() => void)[];
  on(event: 'exit', listener: () => void): void;
  on(event: 'uncaughtExceptionMonitor', listener: (error: unknown) => void): void;
  getBuiltinModule(name: 'fs'): NodeFiles;
  getBuiltinModule(name: 'zlib'): { crc32?(bytes: Uint8Array): number } | undefined;
  getBuiltinModule(name: 'worker_threads'): {
    readonly isMainThread: boolean;
    readonly Worker: new (
      text: string,
      options: object,
    ) => { on(event: 'error', listener: () => void): void; unref(): void };
    receiveMessageOnPort(port: BroadcastChannel): { readonly message: unknown } | undefined;
  };
}

const found = (globalThis as { readonly process?: Partial<NodeProcess> }).process;

/** Undefined: this is no Node. */
export const node: NodeProcess | undefined =
  typeof found === 'object' && typeof found.getBuiltinModule === 'function' ? (found as NodeProcess) : undefined;
