import { cp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { _electron, type ElectronApplication } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWindow, windowSurroundings } from '../../src-main/cli/node/open-window.ts';

const note = (text: string) => process.stderr.write(`${text}\n`);
const found = await findWindow(windowSurroundings(note, new AbortController().signal));
const electron = 'electron' in found ? found.electron : undefined;
if ('reason' in found) note(`\n!!! skipped, nothing was tested: ${found.reason}.\n`);

const ROOT = resolve(import.meta.dirname, '../..');
/** Laid out as an installation, so that the window finds its page. */
const INSTALLED = join(ROOT, 'node_modules/.cache/quarry-trainer-window');

describe.skipIf(!electron)('the window that trains, in the real Electron', () => {
  let app: ElectronApplication;

  beforeAll(async () => {
    await rm(INSTALLED, { recursive: true, force: true });
    for (const part of ['trainer', 'preload']) {
      await cp(join(ROOT, 'out', part), join(INSTALLED, 'out', part), { recursive: true });
    }
    await build({
      ...{ configFile: false, logLevel: 'error', root: ROOT },
      build: {
        ...{ ssr: join(ROOT, 'test/support/learning/trainer-window-main.ts'), outDir: join(INSTALLED, 'out/main') },
        rolldownOptions: { output: { entryFileNames: 'index.mjs' }, external: ['electron'] },
      },
    });
    app = await _electron.launch({
      ...(electron && { executablePath: electron }),
      args: [join(INSTALLED, 'out/main/index.mjs'), `--user-data-dir=${join(INSTALLED, 'user-data')}`],
    });
  });
  afterAll(async () => {
    await app?.close();
    await rm(INSTALLED, { recursive: true, force: true });
  });

  it('hands over its port, out of sight, and reaches nothing', async () => {
    const page = await app.firstWindow();
    const told = () => app.evaluate(() => (globalThis as unknown as { trainer: { ports: number } }).trainer.ports);
    await expect.poll(told).toBe(1);
    expect(
      await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.isVisible())),
    ).toEqual([false]);
    expect(page.url()).toBe('quarry-app://trainer/');
    expect(await page.evaluate('typeof require + typeof process + typeof module')).toBe('undefined'.repeat(3));
    const reached = await page.evaluate(`Promise.allSettled([
      fetch('https://example.org/'),
      fetch('quarry-app://app/'),
      fetch('file:///etc/hosts'),
    ]).then((outcomes) => outcomes.map(({ status }) => status))`);
    expect(reached).toEqual(Array(3).fill('rejected'));
    expect(await page.evaluate("window.open('https://github.com/') === null")).toBe(true);
    await page.evaluate("void (location.href = 'quarry-app://app/')");
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    expect(page.url()).toBe('quarry-app://trainer/');
  });
});
