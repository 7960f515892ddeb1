import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { cookieOf, openServer, raw } from '../../../support/server-harness.ts';
import { openPage, rpcClient, smallContract } from '../../../support/socket-harness.ts';

const TOKEN = 'a token of some length';
const publicUrl = 'https://quarry.example.org';
const headers = { authorization: `Bearer ${TOKEN}` };
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
if (!outside) process.stderr.write('SKIPPED: a page from elsewhere, for this computer has loopback addresses alone.\n');

async function serve(options: Parameters<typeof openServer>[0] = {}) {
  const { url } = await openServer({ token: TOKEN, contract: smallContract().router, ...options });
  return url;
}

/** What a program's call says of its own way. */
async function asked(url: string, more: Record<string, string> = {}): Promise<boolean> {
  const { json } = await raw(`${url}/rpc/unheard`, { body: {}, headers: { ...headers, ...more } });
  return json.json;
}

/** What a page's call says of its own way. */
async function shown(url: string, { origin = url, ...more }: Record<string, string> = {}): Promise<boolean> {
  const login = await raw(`${url}/session`, { body: { token: TOKEN }, headers: { ...more, origin } });
  const page = await openPage(url, { headers: { ...more, cookie: cookieOf(login) }, origin });
  return rpcClient(page).unheard();
}

describe('whether others could listen', () => {
  it('not on loopback, by page or program', async () => {
    const url = await serve();
    expect(await asked(url)).toBe(true);
    expect(await shown(url)).toBe(true);
  });

  it.skipIf(!outside)('where a page or a program comes from elsewhere without TLS', async () => {
    const port = new URL(await serve({ host: '0.0.0.0' })).port;
    expect(await asked(`http://${outside}:${port}`)).toBe(false);
    expect(await shown(`http://${outside}:${port}`)).toBe(false);
  });

  it('where somebody else has passed it on to loopback', async () => {
    const url = await serve({ host: '0.0.0.0' });
    expect(await asked(url, { 'x-forwarded-for': '203.0.113.9' })).toBe(false);
    for (const header of ['forwarded', 'via', 'x-real-ip', 'x-forwarded-proto']) {
      expect(await asked(url, { [header]: '1.1 nginx' })).toBe(false);
    }
    expect(await asked(url, { host: 'quarry.lan' })).toBe(false);
    expect(await shown(url, { host: 'quarry.lan', origin: 'http://quarry.lan' })).toBe(false);
  });

  it('not at a proxy’s address with TLS, and at one without', async () => {
    const proxied = { host: 'quarry.example.org', 'x-forwarded-for': '203.0.113.9' };
    expect(await shown(await serve({ publicUrl }), { ...proxied, origin: publicUrl })).toBe(true);
    const plain = 'http://quarry.example.org';
    expect(await shown(await serve({ publicUrl: plain }), { ...proxied, origin: plain })).toBe(false);
    // The same proxy serves it without TLS too, against what the settings say.
    expect(await shown(await serve({ publicUrl }), { ...proxied, origin: plain })).toBe(false);
  });
});
