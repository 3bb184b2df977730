// The one place where an address becomes a running script: a worker's, under a policy of our own (Trusted Types).
//
//   ST1  The page's content policy names this policy and no other (web/index.html): a text that was written into the page becomes no
//        element, no code and no worker, whatever wrote it.
//   ST2  The policy passes scripts of this origin only; never data:. Its callers name their scripts in their text, or take the address
//        from who built the page around an element.
//   ST3  Where an engine knows no such policies, or a page that holds an element allows none of this name, the address stays a
//        text: then the browser, or a default policy of that page, decides.

const kPolicy = 'heapglass';

interface ScriptPolicy {
  createScriptURL(address: string): object;
}
interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): ScriptPolicy;
}

let policy: ScriptPolicy | undefined;

/** `script`: a module's address, or a whole script, which revokes its own address. */
export function startWorker(script: string | URL | Blob): Worker {
  const isWhole = script instanceof Blob;
  const address = isWhole ? URL.createObjectURL(script) : new URL(script, document.baseURI).href;
  policy ??= makePolicy();
  const trusted = (policy?.createScriptURL(address) ?? address) as string; // TypeScript knows no trusted address
  return new Worker(trusted, { type: isWhole ? 'classic' : 'module' });
}

/** undefined: ST3. */
function makePolicy(): ScriptPolicy | undefined {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory };
  try {
    return trustedTypes?.createPolicy(kPolicy, { createScriptURL: ofThisOrigin });
  } catch {
    return undefined;
  }
}

/** ST2 */
function ofThisOrigin(address: string): string {
  if (new URL(address).origin !== globalThis.origin) throw new TypeError(`a worker of another origin: ${address}`);
  return address;
}
