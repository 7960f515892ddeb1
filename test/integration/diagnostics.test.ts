import { expect, it } from 'vitest';
import { createApp } from '../../src-main/app/create-app.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { de } from '../../src-renderer/i18n/de.ts';
import { en } from '../../src-renderer/i18n/en.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { openTestnet } from '../support/testnet.ts';

it('reports what the doctor finds, and of a part that is missing, why', async () => {
  const folder = await temporaryFolder();
  const testnet = await openTestnet();
  try {
    const bootstrap = testnet.bootstrap.map(({ host, port }) => `${host}:${port}`);
    await using app = await createApp(loadConfig({ env: {}, flags: { dataDir: folder.path, bootstrap } }), {});
    const report = JSON.parse((await app.node.diagnostics()).text);
    const examined: string[] = report.doctor.checks.map(({ name }: { name: string }) => name);
    expect(examined).toContain('model');
    // The screens have a name for each of them, in every language.
    const name = Object.fromEntries(examined.map((check) => [check, expect.any(String)]));
    for (const { settings } of [en, de]) expect(settings).toMatchObject({ doctor: { name } });
    expect(report.sharing.error).toMatch(/not on the models network/);
    expect(report.reachability.error).toMatch(/is not on a mesh/);
    expect(report.status.role).toBe('miner');
  } finally {
    await testnet.close();
    await folder.remove();
  }
});
