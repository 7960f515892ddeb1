import { expect, it, vi } from 'vitest';
import { createApp } from '../../src-main/app/create-app.ts';
import { PolicyWatcher } from '../../src-main/hardware/policy-watcher.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { TEST_MESH } from '../support/mesh-name.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { openTestnet } from '../support/testnet.ts';

it('what is set in the app reaches the parts of a running node that it is about, and whoever watches', async () => {
  await using resources = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  resources.defer(() => folder.remove());
  const testnet = await openTestnet();
  resources.defer(() => testnet.close());
  const bootstrap = testnet.bootstrap.map(({ host, port }) => `${host}:${port}`);
  const config = loadConfig({ env: {}, flags: { dataDir: folder.path, bootstrap, 'mesh.name': TEST_MESH.name } });
  const app = resources.use(await createApp(config, { mesh: true, sharing: true, worker: true }));

  const configure = vi.spyOn(PolicyWatcher.prototype, 'configure').mockResolvedValue();
  resources.defer(() => configure.mockRestore());
  const downloads = vi.spyOn(app.models.downloads, 'limit');
  if (!app.sharing) throw new Error('it was wanted');
  const uploads = vi.spyOn(app.sharing.sharing, 'limit');
  const { count } = app.changes;

  await app.settings.set({ changes: { 'policy.heat': 'off' } });
  expect(configure).toHaveBeenLastCalledWith(expect.objectContaining({ heat: 'off' }));
  await app.settings.set({ changes: { 'models.downloadLimit': 2_048, 'sharing.uploadLimit': 4_096 } });
  expect(downloads).toHaveBeenLastCalledWith(2_048);
  expect(uploads).toHaveBeenLastCalledWith(4_096);
  await app.settings.set({ changes: { nodeName: 'elsewhere' } });
  expect(app.changes.count).toBe(count + 3);
  for (const told of [configure, downloads, uploads]) expect(told).toHaveBeenCalledOnce();

  await app.settings.set({ changes: { 'node.watts': 150, 'node.costPerKwh': 0.3, 'node.currency': 'EUR' } });
  const mined = { today: { servingMs: 7_200_000, joules: 0 }, week: { servingMs: 36_000_000, joules: 0 } };
  expect(app.energy.energy(mined)).toMatchObject({
    ...{ basis: 'entered', entered: 150, currency: 'EUR' },
    today: { wattHours: 300, cost: expect.closeTo(0.09) },
    week: { wattHours: 1_500, cost: expect.closeTo(0.45) },
  });
});
