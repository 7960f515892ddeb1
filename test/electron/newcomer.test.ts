import { resolve } from 'node:path';
import { _electron, type ElectronApplication } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findWindow, windowSurroundings } from '../../src-main/cli/node/open-window.ts';
import { newcomersWay } from '../support/screens/newcomers-way.ts';
import { NewcomersWorld } from '../support/screens/newcomers-world.ts';

const note = (text: string) => process.stderr.write(`${text}\n`);
const found = await findWindow(windowSurroundings(note, new AbortController().signal));
const electron = 'electron' in found ? found.electron : undefined;
if ('reason' in found) note(`\n!!! skipped, nothing was tested: ${found.reason}.\n`);

let world: NewcomersWorld;
let app: ElectronApplication;

beforeEach(async () => {
  world = await NewcomersWorld.open();
});

afterEach(async () => {
  await app?.close();
  await world?.close();
});

describe.skipIf(!electron)('a newcomer in the real Electron', { timeout: 180_000 }, () => {
  it('installs a model, mines, earns, and stops', async () => {
    app = await _electron.launch({
      ...(electron && { executablePath: electron }),
      args: [resolve(import.meta.dirname, '../../out/main/index.js'), '--data', world.dataDir],
      env: { ...(process.env as Record<string, string>), ...world.environment },
    });
    const page = await app.firstWindow();
    await newcomersWay(page, world);
    expect(await page.evaluate('location.protocol')).toBe('quarry-app:');
    expect(await page.evaluate('typeof require + typeof process')).toBe('undefinedundefined');
  });
});
