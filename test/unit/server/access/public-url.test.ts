import { describe, expect, it } from 'vitest';
import { openServer, raw } from '../../../support/server-harness.ts';
import { refusal, smallContract } from '../../../support/socket-harness.ts';

const TOKEN = 'a token of some length';
const publicUrl = 'https://quarry.example.org';
const bearer = { authorization: `Bearer ${TOKEN}` };

describe('behind a proxy', () => {
  it.each([
    ['the public host, as a proxy passes it on', { host: 'quarry.example.org', origin: publicUrl }, 200],
    ['the public host with its port', { host: 'quarry.example.org:443', origin: publicUrl }, 200],
    ['a host that the proxy has replaced', { host: '127.0.0.1:7070', origin: publicUrl }, 200],
    ['programs at the public host', { host: 'quarry.example.org' }, 200],
    ['another host', { host: 'evil.example' }, 403],
    ['another port of the host', { host: 'quarry.example.org:8443' }, 403],
    ['a page of another host', { host: 'quarry.example.org', origin: 'https://evil.example' }, 403],
    ['a page without TLS', { host: '127.0.0.1:7070', origin: 'http://quarry.example.org' }, 403],
    ['a page of another port', { host: '127.0.0.1:7070', origin: 'https://quarry.example.org:8443' }, 403],
  ])('%s', async (_, headers, status) => {
    const { url } = await openServer({ token: TOKEN, publicUrl });
    expect((await raw(`${url}/v1/models`, { headers: { ...bearer, ...headers } })).status).toBe(status);
  });

  it('opens the contract’s WebSocket to its pages', async () => {
    const { url } = await openServer({ token: TOKEN, publicUrl, contract: smallContract().router });
    const login = await raw(`${url}/session`, { body: { token: TOKEN }, headers: { origin: publicUrl } });
    const cookie = String(login.headers['set-cookie']?.[0]?.split(';')[0]);
    expect(await refusal(url, { headers: { cookie }, origin: publicUrl })).toBe(101);
    expect(await refusal(url, { headers: { cookie }, origin: 'https://evil.example' })).toBe(403);
    expect(await refusal(url, { headers: {}, origin: publicUrl })).toBe(401);
  });

  it('wants a token, although the address is loopback', async () => {
    await expect(openServer({ publicUrl })).rejects.toMatchObject({ code: 'CONFIG_INVALID', field: 'token' });
  });

  it.each([
    'https://example.org/quarry',
    'https://example.org/?a=b',
    'https://example.org/#a',
    'https://user:secret@example.org/',
    'ftp://example.org/',
    'quarry.example.org',
  ])('refuses the address %s', async (address) => {
    await expect(openServer({ token: TOKEN, publicUrl: address })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      field: 'publicUrl',
    });
  });
});
