// Workers of a recorded page, and those that these make, get the recorder before their own script.
//
//   new Worker(script) ─▶ new Worker(blob: the recorder's, then script) ─ first message: a port to the page, the threads' memory
//      in a worker: the port goes to the page by that of the worker
//
//   wo.1  A worker's script then lies at a blob's address. What the script says relative to its own is made whole: location, fetch,
//         importScripts, XMLHttpRequest.
//   wo.2  Where the page's policy forbids workers from blob: addresses, or them what their own script may do, as it has no policy of the page's,
//         workers are made as the page makes them and are not recorded, and that is said. Whether it does is tried once, on a worker that
//         compiles an empty module; who has to know does not wait for it longer than kPatience. A policy in the page's own text is read, because
//         it comes behind this.
//   wo.3  A module is imported before anything is waited for: messages that come meanwhile would be lost.
//   wo.4  A shared worker is other pages', too: by its address they find it, so it keeps that and is not recorded, which is said.

const kWorkerMessage = 'heapglass.worker';
const kPatience = 20_000; // milliseconds

interface WorkerMessage {
  readonly [kWorkerMessage]: { readonly port: MessagePort; readonly memory: WebAssembly.Memory | undefined };
}

export interface WorkersOptions {
  /** The text of the script that begins with toPage(). It finds itself as kHeapglassScript, and the worker's own address as kHeapglassOwn. */
  readonly script: string;
  /** In which the threads of a module record; asked for when a worker is made. */
  memory(): WebAssembly.Memory | undefined;
  /** An address of an empty script, where there is one: the tried worker imports it. */
  readonly empty?: string;
  problem(text: string): void;
  /** Takes the port of a worker. */
  connect(port: MessagePort): void;
}

/** In the page, or in a worker of it, in which the same is allowed. Gives what says whether workers are recorded, once that is known. */
export function prepareWorkers(options: WorkersOptions): () => boolean | Promise<boolean> {
  const { script: first, memory, empty, problem, connect } = options;
  const before = globalThis.Worker;
  if (before === undefined) return () => false; // a worker of an engine that has none there
  const isPage = globalThis.document !== undefined;
  let isForbidden = false;
  let isTried = !isPage;
  const tried = isPage ? tryBlob(before, empty) : Promise.resolve(true);
  void tried.then((isAllowed) => {
    isForbidden = !isAllowed;
    isTried = true;
  });
  globalThis.Worker = new Proxy(before, {
    construct(target, args: [string | URL, WorkerOptions?], made) {
      const [script, options] = args;
      const own = new URL(String(script), isPage ? document.baseURI : location.href);
      const { port1, port2 } = new MessageChannel();
      try {
        if (isForbidden || own.origin !== location.origin || isForbiddenInText())
          throw new Error('it can have nothing before it');
        const address = addressOf(textOf(first, own, options?.type === 'module'));
        const worker: Worker = Reflect.construct(target, [address, options], made);
        const given = { port: port1, memory: memory() };
        worker.postMessage({ [kWorkerMessage]: given } satisfies WorkerMessage, [port1]);
        connect(port2);
        return worker;
      } catch {
        problem(
          `${own.pathname.split('/').pop()} is a worker that the page's policy lets nobody change: it is not recorded.`,
        );
        return Reflect.construct(target, args, made);
      }
    },
  });
  sayShared(problem);
  const allows = () => !isForbidden && !isForbiddenInText();
  const late = () => new Promise<boolean>((resolve) => setTimeout(resolve, kPatience, false));
  return () => (isTried ? allows() : Promise.race([tried.then(allows), late()]));
}

/** wo.4 */
function sayShared(problem: WorkersOptions['problem']): void {
  const shared = globalThis.SharedWorker;
  if (shared === undefined) return;
  globalThis.SharedWorker = new Proxy(shared, {
    construct(target, args: [string | URL], made) {
      const name = String(args[0])
        .replace(/[?#].*/s, '')
        .split('/')
        .pop();
      problem(`${name} is a shared worker, which other pages may use, too: it is not recorded.`);
      return Reflect.construct(target, args, made);
    },
  });
}

/** wo.2 */
function tryBlob(plain: typeof Worker, empty: string | undefined): Promise<boolean> {
  const imported = empty === undefined ? '' : `importScripts(${JSON.stringify(empty)});`;
  const compiled = 'new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));';
  return new Promise((resolve) => {
    try {
      const worker = new plain(addressOf(`${imported}${compiled}postMessage(0);close();`));
      worker.onmessage = () => resolve(true);
      worker.onerror = (event) => {
        event.preventDefault();
        resolve(false);
      };
    } catch {
      resolve(false);
    }
  });
}

/** wo.2: a policy that says nothing of blob: forbids it. */
function isForbiddenInText(): boolean {
  if (globalThis.document === undefined) return false;
  const policies = document.querySelectorAll<HTMLMetaElement>('meta[http-equiv="content-security-policy" i]');
  return [...policies].some(({ content }) => {
    const directives = new Map(
      content.split(';').map((directive) => {
        const [name = '', ...sources] = directive.trim().toLowerCase().split(/\s+/);
        return [name, sources] as const;
      }),
    );
    const named = ['worker-src', 'child-src', 'script-src', 'default-src'].find((name) => directives.has(name));
    return named !== undefined && directives.get(named)?.includes('blob:') === false;
  });
}

const addressOf = (text: string): string => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));

/** wo.3 */
function textOf(before: string, own: URL, isModule: boolean): string {
  const script = JSON.stringify(own.protocol === 'blob:' ? copyOf(own) : own.href);
  const address = JSON.stringify(own.href);
  const known = `const kHeapglassOwn = ${address};\nconst kHeapglassScript = ${JSON.stringify(before)};`;
  const first = `{ ${known}\n${before}\n}\n(${asIfAt})(${address});\n`;
  if (!isModule) return `${first}importScripts(${script});\n`;
  return `import ${JSON.stringify(addressOf(first))};\nimport ${script};\n`;
}

/** Pages give a blob's address back as soon as they have their worker. Throws where the policy forbids to read it. */
function copyOf(blob: URL): string {
  const request = new XMLHttpRequest();
  request.open('GET', blob, false);
  request.send();
  return addressOf(request.responseText);
}

/** In the worker. wo.1; self-contained: its text is what runs. */
function asIfAt(own: string): void {
  const scope = globalThis as unknown as {
    importScripts(...scripts: string[]): void;
    fetch: typeof fetch;
    XMLHttpRequest: typeof XMLHttpRequest;
  };
  const whole = (address: unknown): unknown =>
    (typeof address === 'string' || address instanceof URL) && URL.canParse(String(address), own)
      ? new URL(String(address), own).href
      : address;
  const { fetch: plainFetch, importScripts: plainImport } = scope;
  const { open } = scope.XMLHttpRequest.prototype;
  scope.fetch = (address, ...rest) => plainFetch(whole(address) as RequestInfo, ...rest);
  scope.importScripts = (...scripts) => plainImport(...scripts.map((script) => String(whole(script))));
  scope.XMLHttpRequest.prototype.open = function (
    this: XMLHttpRequest,
    method: string,
    address: string | URL,
    ...rest: [boolean]
  ) {
    return open.call(this, method, whole(address) as string, ...rest);
  } as typeof open;
  const there = new URL(own);
  Object.defineProperty(globalThis, 'location', { value: there, configurable: true });
}

/** In the worker, before its own script: a port to the page that can be written to at once, and the memory of all threads once it was given. */
export function toPage(): { readonly port: MessagePort; memory(): WebAssembly.Memory | undefined } {
  const { port1, port2 } = new MessageChannel();
  let memory: WebAssembly.Memory | undefined;
  addEventListener('message', function first(event: MessageEvent<unknown>) {
    const { data } = event;
    if (typeof data !== 'object' || data === null || !(kWorkerMessage in data)) return;
    event.stopImmediatePropagation();
    removeEventListener('message', first);
    const given = (data as WorkerMessage)[kWorkerMessage];
    memory = given.memory;
    relay(port2, given.port);
  });
  return { port: port1, memory: () => memory };
}

/** The page's port comes with the first message, and modules may be compiled before it. */
function relay(from: MessagePort, to: MessagePort): void {
  to.onmessage = ({ data, ports }) => from.postMessage(data, [...ports]);
  from.onmessage = ({ data, ports }) => to.postMessage(data, [...ports]);
}
