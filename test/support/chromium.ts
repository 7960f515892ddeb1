import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { PATIENCE_MS } from './patience.ts';

const PLACES = [
  process.env.CHROMIUM_PATH,
  // The same browser without windows: a quarter less work.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Nothing but the page under test: no updates, no look-ups; root has no sandbox to start it in. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser of this machine; undefined, loudly, where there is none. CI must have one. */
export function findChromium(): string | undefined {
  const path = PLACES.find((place) => place !== undefined && existsSync(place));
  if (path) return path;
  const message =
    'No Chromium was found: install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(message);
  process.stderr.write(`\n!!! skipped: ${message}\n\n`);
  return undefined;
}

/** One that can record its own pages: the same without windows cannot. Undefined, loudly, where there is none; CI must have one. */
export function findWholeChromium(): string | undefined {
  const path = PLACES.find((place) => place !== undefined && !place.includes('headless') && existsSync(place));
  if (path) return path;
  const message = 'No Chromium with windows was found (Debian: apt-get install chromium).';
  if (process.env.CI) throw new Error(message);
  process.stderr.write(`\n!!! skipped: ${message}\n\n`);
  return undefined;
}

/** Starts the browser that {@link findChromium} found. Its pages wait as patiently as all tests do. */
export async function launchChromium(executablePath: string, flags: string[] = []): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS, ...flags] });
  return browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
}
