// Brings a machine with nothing but git, Node and Python to where the project can be built and tested.
//
//   node tools/setup.mjs [packages] [emcc] [native] [chromium] [headless] [boost] [cargo]     all of them when none is named
//
// Looks first, installs only what is missing: node packages by npm ci, the rest by apt where that may be done (Debian or
// Ubuntu, as root or with sudo that asks for no password). Elsewhere it says in two lines what to do and exits with 3.
// Boost's headers are only unpacked, and what needs them is left out when there are none. Chromium's shell without windows saves
// processor time; where no package has it, its place is taken by Chromium. cargo fetches the sources of SQLite, Lua and QuickJS, which the
// page opens with; without it they are left out.
// Runs before npm ci, so it imports nothing but Node.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { boostVersions, installBoost } from './boost_headers.mjs';
import { cargo } from './fetch/crates.mjs';
import { findChromium, findCommand, findHeadless } from './find_chromium.mjs';
import { leaveOutPackageTools } from './package_tools.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What can be missing: how to see that it is there, and who installs it. */
const kNeeds = {
  packages: { what: 'node packages', there: packagesFresh },
  emcc: { what: 'Emscripten', there: emccFound, apt: ['emscripten'], brew: 'emscripten' },
  native: {
    what: 'CMake, Ninja, make, a C++ compiler and GoogleTest',
    there: () => ['cmake', 'ninja', 'make', 'c++'].every(findCommand) && googleTestFound(),
    apt: ['cmake', 'ninja-build', 'make', 'g++', 'libgtest-dev'],
    brew: 'cmake ninja googletest (and: xcode-select --install)',
  },
  chromium: { what: 'Chromium', there: () => findChromium() !== undefined, apt: ['chromium'], brew: '--cask chromium' },
  headless: {
    what: 'Chromium without windows',
    there: () => findHeadless() !== findChromium(),
    optional: () => tryPackage('chromium-headless-shell', 'browser tests use Chromium itself'),
  },
  clang: {
    what: 'Clang with libFuzzer',
    there: clangHasLibFuzzer,
    apt: ['clang', 'libclang-rt-dev'],
    brew: 'llvm',
  },
  boost: { what: 'Boost headers', there: () => boostVersions().length > 0, optional: tryBoost },
  cargo: {
    what: 'cargo',
    there: () => cargo() !== undefined,
    optional: () => tryPackage('cargo', 'the page opens without SQLite, Lua and QuickJS'),
  },
};

/** Installs what is missing of the needs named. Throws with what to do when it cannot. */
export function ensure(...names) {
  // Debian's emscripten brings a node of its own, too old for us: whatever runs from here on uses the one that runs now.
  leaveOutPackageTools();
  process.env.PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const missing = names.filter((name) => !kNeeds[name].there());
  if (missing.includes('packages')) installPackages();
  installSystem(missing.filter((name) => kNeeds[name].apt !== undefined));
  for (const name of missing) kNeeds[name].optional?.();
}

/** By apt, or throws with what to do. */
function installSystem(system) {
  if (system.length === 0) return;
  const what = system.map((name) => kNeeds[name].what).join(', ');
  const apt = aptCommand();
  if (apt === undefined) throw new Error(`missing: ${what}\n${advice(system)}`);
  const packages = system.flatMap((name) => kNeeds[name].apt);
  console.log(`setup: installing ${packages.join(' ')} by apt`);
  runQuietly([...apt, 'update', '-qq']);
  runQuietly([...apt, 'install', '-y', '-qq', '--no-install-recommends', ...packages]);
  // Ubuntu's chromium is a stub for snap, which a container cannot run: then Playwright's own build.
  if (system.includes('chromium') && !kNeeds.chromium.there())
    run(['npx', 'playwright', 'install', '--with-deps', 'chromium']);
  const still = system.filter((name) => !kNeeds[name].there());
  if (still.length > 0)
    throw new Error(`still missing after apt: ${still.map((name) => kNeeds[name].what).join(', ')}\n${advice(still)}`);
}

/** True when node_modules holds exactly the versions of package-lock.json (entries for other systems may be absent). */
export function packagesFresh() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const have = JSON.parse(readFileSync(installed, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' || have[path]?.version === entry.version || (entry.optional && have[path] === undefined),
  );
}

/** Without Boost everything else goes on. */
function tryBoost() {
  const apt = aptCommand();
  try {
    installBoost(() => {
      if (apt !== undefined) runQuietly([...apt, 'update', '-qq']);
    });
  } catch (error) {
    console.log(`setup: ${error.message}`);
  }
}

/** By apt. Debian has Chromium's shell, Ubuntu has not; $CHROMIUM and $CARGO name others. */
function tryPackage(name, without) {
  const apt = aptCommand();
  if (process.env.CHROMIUM && name.startsWith('chromium')) return;
  if (apt === undefined || spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status !== 0) return;
  console.log(`setup: installing ${name} by apt`);
  try {
    runQuietly([...apt, 'install', '-y', '-qq', '--no-install-recommends', name]);
  } catch (error) {
    console.log(`setup: ${error.message.split('\n', 1)}: ${without}`);
  }
}

function installPackages() {
  console.log('setup: npm ci');
  run(['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error'], { PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' });
}

function emccFound() {
  const { EMCC, EMSDK } = process.env;
  return (
    EMCC !== undefined ||
    findCommand('emcc') !== undefined ||
    (EMSDK !== undefined && existsSync(join(EMSDK, 'upstream/emscripten/emcc')))
  );
}

/** The compiler alone is not enough: its fuzzer is a package of its own. */
function clangHasLibFuzzer() {
  if (findCommand('clang++') === undefined) return false;
  const source = 'extern "C" int LLVMFuzzerTestOneInput(const char *, unsigned long) { return 0; }';
  const options = ['-fsanitize=fuzzer', '-x', 'c++', '-', '-o', '/dev/null'];
  return spawnSync('clang++', options, { input: source }).status === 0;
}

function googleTestFound() {
  const prefixes = ['/usr', '/usr/local', '/opt/homebrew', join(homedir(), '.local')];
  return prefixes.some((prefix) => existsSync(join(prefix, 'include/gtest/gtest.h')));
}

/** ['apt-get'] or ['sudo', '-n', 'apt-get'], or undefined where apt may not be used. */
function aptCommand() {
  if (findCommand('apt-get') === undefined) return undefined;
  if (process.getuid?.() === 0) return ['apt-get'];
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n', 'apt-get'] : undefined;
}

function advice(names) {
  if (process.platform === 'darwin') return names.map((name) => `  brew install ${kNeeds[name].brew}`).join('\n');
  const apt = `  sudo apt-get install -y ${names.flatMap((name) => kNeeds[name].apt).join(' ')}`;
  return names.includes('emcc') ? `${apt}   (or set EMCC=/path/to/emcc, or EMSDK)` : apt;
}

function run([program, ...options], environment = {}) {
  execFileSync(program, options, { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } });
}

// apt's chatter is shown only when it fails.
function runQuietly([program, ...options]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const done = spawnSync(program, options, { encoding: 'utf8', env, maxBuffer: 1 << 26 });
  if (done.status !== 0) throw new Error(`${[program, ...options].join(' ')} failed\n${done.stdout}\n${done.stderr}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  try {
    ensure(...(names.length > 0 ? names : Object.keys(kNeeds)));
  } catch (error) {
    console.error(error.message);
    process.exit(3);
  }
}
