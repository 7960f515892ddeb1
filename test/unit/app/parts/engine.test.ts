import { afterEach, beforeEach, expect, it } from 'vitest';
import { createApp } from '../../../../src-main/app/create-app.ts';
import { loadConfig } from '../../../../src-main/settings/config.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => await folder.remove());

const openNode = (env: NodeJS.ProcessEnv) =>
  createApp(loadConfig({ env, flags: { dataDir: folder.path, model: 'chosen' } }), { learning: true });

it('a server elsewhere stays open, and has no model of the settings', async () => {
  await using remote = await openNode({ QUARRY_BACKEND: 'remote', QUARRY_REMOTE_BASE_URL: 'http://127.0.0.1:9' });
  expect(remote.engine?.localUse.isUsed).toBe(true);
  expect(await remote.engine?.isOwn('chosen')).toBe(false);
});

it('a model of this machine goes a while after its last question, and has the name that the settings give it', async () => {
  await using local = await openNode({});
  expect(local.engine?.localUse.isUsed).toBe(false);
  expect(await local.engine?.isOwn('chosen')).toBe(true);
});
