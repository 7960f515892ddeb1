import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createRouterClient } from '@orpc/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src-main/app/create-app.ts';
import { ifMissing } from '../../src-main/base/swallowed.ts';
import { withNode } from '../../src-main/cli/terminal/node-client.ts';
import { type ConfigSources, loadConfig, loadNodeConfig } from '../../src-main/settings/config.ts';
import type { SecretVault } from '../../src-main/settings/secret-vault.ts';
import { PlainVault } from '../../src-main/settings/secret-vault.ts';
import { temporaryFolder } from '../support/quarry-process.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(() => folder.remove());

/** A vault that only the node itself can open, as the desktop's. */
const vault: SecretVault = {
  seal: async (secret) => `v1:${Buffer.from(secret).toString('hex')}`,
  unseal: async (sealed) => Buffer.from(sealed.slice(3), 'hex').toString(),
  state: () => new PlainVault().state(),
};

const sources = (): ConfigSources => ({ env: {}, flags: { dataDir: folder.path, port: 0 } });

/** A node with a server, and nothing else. */
async function openNode() {
  const config = await loadNodeConfig(sources(), vault);
  return await createApp(config, { server: true }, { sources: sources(), ports: { secrets: vault } });
}

/** As a command does it that knows no more than the data folder. */
function command<T>(use: Parameters<typeof withNode<T>>[2]): Promise<T> {
  return withNode(loadConfig({ env: {}, flags: { dataDir: folder.path } }), {}, use, new AbortController().signal);
}

describe('commands beside a running node', () => {
  it('work through it although its token was set in the app, and only there', async () => {
    {
      await using app = await openNode();
      await createRouterClient(app.contract).settings.newApiToken();
    }
    await using app = await openNode();
    expect(app.config.apiToken).toHaveLength(43);
    const { id } = await command((node) => node.node.status());
    expect(id).toBe(app.identity.id);
    const stranger = await fetch(`${app.server?.url}/rpc/node/status`, { method: 'POST', body: '{}' });
    expect(stranger.status).toBe(401);
  });

  it('change its settings', async () => {
    await using app = await openNode();
    const view = await command((node) => node.settings.set({ changes: { language: 'de', threads: 1 } }));
    expect(app.settings.follow('language').now).toBe('de');
    expect(view.settings.find(({ path }) => path === 'threads')).toMatchObject({ value: 1, waitsForRestart: true });
    const refused = command((node) => node.settings.set({ changes: { port: 1 } }));
    await expect(refused).rejects.toMatchObject({ code: 'CONFIG_INVALID', field: 'port', hint: expect.any(String) });
  });

  it('work through it although it serves HTTPS with a certificate for another name', async (test) => {
    const [cert, key] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
    const subject = ['-subj', '/CN=quarry.example.org', '-days', '1', '-nodes'];
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', ...subject];
    const made = await promisify(execFile)('openssl', [...request, '-keyout', key, '-out', cert]).catch(ifMissing);
    if (!made) return test.skip('there is no openssl to make a certificate with');
    await writeFile(join(folder.path, 'app-settings.json'), JSON.stringify({ tlsCert: cert, tlsKey: key }));
    await using app = await openNode();
    expect(app.server?.url).toMatch(/^https:/);
    const first = await command(async (node) => {
      for await (const status of await node.node.watch()) return status.id;
    });
    expect(first).toBe(app.identity.id);
  });
});
