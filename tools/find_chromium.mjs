// Which browser the tests and demos use: $CHROMIUM, a system Chromium or Chrome, Playwright's own. And how they start it.
//
//   node tools/find_chromium.mjs     prints its path, or says what to do and exits with 1

import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const kCommands = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
/** The same engine without windows: Debian's package of that name, and what Playwright starts by default. */
const kHeadless = 'chromium-headless-shell';
const kMacApplications = ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome'];

export const kNoChromium =
  'No Chromium or Chrome found. Set CHROMIUM=/path/to/browser, or run one of:\n' +
  '  apt install chromium    brew install --cask chromium    npx playwright install --with-deps chromium';

/** Chromium loads two pages of its own for each window, for what is typed into its address bar: half of the processor time of opening ours. */
const kPagesOfTheBrowser = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
/** What Playwright 1.65 switches off: of two lists a browser takes the last. */
const kPlaywrights =
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,' +
  'LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,' +
  'TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch';

/**
 * For Playwright's launch(). As root Chromium has no sandbox.
 *
 * @param {readonly string[]} flags
 * @param {() => string | undefined} find findChromium for who needs a window, as extensions and DevTools do
 */
export function launchOptions(flags = [], find = findHeadless) {
  const executablePath = find();
  if (executablePath === undefined) throw new Error(kNoChromium);
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const features = `--disable-features=${[kPlaywrights, ...kPagesOfTheBrowser].join(',')}`;
  return { executablePath, args: [features, ...sandbox, ...flags] };
}

/** $CHROMIUM, else the shell without windows where it is installed, else what findChromium() finds: 0.85 s of processor time for our page, instead of 1.19. */
export function findHeadless() {
  return process.env.CHROMIUM ? findChromium() : (findCommand(kHeadless) ?? findChromium());
}

/** The browser's path, or undefined. A $CHROMIUM that cannot be run is an error, not a reason to take another one. */
export function findChromium() {
  const named = process.env.CHROMIUM;
  if (named) {
    if (!isProgram(named)) throw new Error(`$CHROMIUM is not a program that can be run: ${named}`);
    return named;
  }
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [
    ...kCommands.flatMap((command) => folders.map((folder) => join(folder, command))),
    ...kMacApplications.map((application) => join('/Applications', application)),
  ];
  return candidates.find(isProgram) ?? playwrightsOwn();
}

/** The path of `command` on PATH, or undefined. */
export function findCommand(command) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find(isProgram);
}

function playwrightsOwn() {
  try {
    const path = createRequire(import.meta.url)('@playwright/test').chromium.executablePath();
    return isProgram(path) ? path : undefined;
  } catch {
    return undefined; // not installed, or no build for this system
  }
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = findChromium();
  if (path === undefined) {
    console.error(kNoChromium);
    process.exit(1);
  }
  console.log(path);
}
