// Test files share a process (vitest.config.ts). What one leaves changed of Node's own is put back behind it, so that no other file sees it.
// Globals that it added stay: Vitest's own are among them.

import { afterAll } from 'vitest';

const kOwners = [globalThis, performance, Math, Date, console, WebAssembly, WebAssembly.Memory.prototype];

const environment = { ...process.env };
const folder = process.cwd();
const properties = kOwners.map((owner) => ({ owner, all: Object.getOwnPropertyDescriptors(owner) }));

// Of all hooks of a file the last one: Vitest calls them in the reverse order of their registration.
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  if (process.cwd() !== folder) process.chdir(folder); // a thread (tools/mutate/web_tests.mjs) can neither leave its folder nor go back
  for (const { owner, all } of properties) {
    for (const name of Reflect.ownKeys(all)) {
      const before = Reflect.getOwnPropertyDescriptor(all, name)?.value as PropertyDescriptor;
      // Node makes some at their first use: they were accessors, and stay what they are now.
      if ('value' in before && !Object.is(Reflect.get(owner, name), before.value))
        Object.defineProperty(owner, name, before);
    }
  }
});
