// Tests that run in Node: the web half, the contract between wasm, trace and model, the package, the tools.

import { defineConfig } from 'vitest/config';
import { leaveOutPackageTools } from './tools/package_tools.mjs';

leaveOutPackageTools();

export default defineConfig({
  test: {
    environment: 'node',
    css: { include: [/base\/tokens\.css/] }, // else it is empty, and with it the look of reports
    include: [
      'tests/{web,contract,package,build_systems,tools,boost,experiments}/**/*.test.ts',
      'tests/{link,record,attach,cli,instrument,replay,site,planted}/**/*.test.ts',
      'tests/{bench,web_threads,foreign_toolchains}/**/*.test.ts',
    ],
    testTimeout: 120_000, // two shared cores; a package test installs a tarball
    hookTimeout: 300_000,
    passWithNoTests: false,
    retry: 1, // docs/decisions/0017-second-try.md; tests of races between threads have 0
  },
});
