import { describe, expect, it } from 'vitest';
import { AS_OWNER, chat, openServer, raw } from '../../../support/server-harness.ts';
import { refusal, smallContract } from '../../../support/socket-harness.ts';

const TOKEN = 'a token of some length';
const METRICS = 'another one, for figures';
const publicUrl = 'https://quarry.example.org';
const as = (token: string) => ({ authorization: `Bearer ${token}` });

/** A node that others reach by a proxy, with both tokens. */
const openGuarded = async () => {
  const { url } = await openServer({
    ...{ token: TOKEN, metricsToken: METRICS, publicUrl, contract: smallContract().router },
    extend: (app) => void app.get('/more', () => ({})),
  });
  const ask = (token: string, path = '/metrics', address = '192.0.2.1') =>
    raw(url + path, { headers: { ...as(token), host: 'quarry.example.org', 'x-forwarded-for': address } });
  return { url, ask };
};

describe('the token for metrics', () => {
  it('opens the figures, and so do the API token and that of this account', async () => {
    const { url, ask } = await openGuarded();
    for (const token of [METRICS, TOKEN]) expect((await ask(token)).text).toContain('process_cpu_seconds_total');
    expect((await raw(`${url}/metrics`, { headers: AS_OWNER })).status).toBe(200);
    expect((await raw(`${url}/metrics`)).status).toBe(401);
  });

  it.each(['/v1/models', '/rpc/echo', '/more', '/nowhere'])('opens nothing else: %s', async (path) => {
    const { ask } = await openGuarded();
    expect((await ask(METRICS, path)).status).toBe(401);
  });

  it('asks no model, opens no WebSocket, logs nobody in, and is told no details of the health', async () => {
    const { url, ask } = await openGuarded();
    const headers = { ...as(METRICS), origin: url };
    expect((await raw(`${url}/v1/chat/completions`, { body: chat(), headers: as(METRICS) })).status).toBe(401);
    expect((await raw(`${url}/rpc/echo`, { body: { json: { text: 'x' } }, headers: as(METRICS) })).status).toBe(401);
    expect(await refusal(url, { headers: as(METRICS), origin: publicUrl })).toBe(401);
    expect((await raw(`${url}/session`, { body: { token: METRICS }, headers })).status).toBe(401);
    expect((await ask(METRICS, '/healthz')).json).toEqual({ status: 'ok' });
  });

  it('is not guessed either: after five tries an address waits, whatever it brings then', async () => {
    const { ask } = await openGuarded();
    for (let each = 0; each < 5; each++) expect((await ask(`guess ${each}`)).status).toBe(401);
    for (const token of [METRICS, TOKEN]) {
      const answer = await ask(token);
      expect([answer.status, answer.json.error.code]).toEqual([429, 'too_many_attempts']);
    }
    expect((await ask(METRICS, '/metrics', '192.0.2.2')).status).toBe(200);
  });

  it('wipes out nothing that was counted of guesses at the API token', async () => {
    const { ask } = await openGuarded();
    for (let each = 0; each < 5; each++) {
      expect((await ask(`guess ${each}`, '/v1/models')).status).toBe(401);
      expect((await ask(METRICS)).status).toBe(200);
    }
    expect((await ask(TOKEN, '/v1/models')).status).toBe(429);
    expect((await ask(METRICS)).status).toBe(200); // whoever watches sees on, although a neighbour guesses
  });

  it('is good where nothing is open without a token, and there is none for the API', async () => {
    const { url } = await openServer({ metricsToken: METRICS, localApiOpen: false });
    expect((await raw(`${url}/metrics`)).status).toBe(401);
    expect((await raw(`${url}/metrics`, { headers: as(METRICS) })).status).toBe(200);
    for (let each = 0; each < 5; each++) await raw(`${url}/metrics`, { headers: as(`guess ${each}`) });
    expect((await raw(`${url}/metrics`, { headers: as(METRICS) })).status).toBe(429);
    expect((await raw(`${url}/v1/models`, { headers: as(METRICS) })).status).toBe(401);
  });

  it('closes nothing that is open to this computer', async () => {
    const { url } = await openServer({ metricsToken: METRICS });
    for (const headers of [{}, as(METRICS), as('a wrong one')]) {
      expect((await raw(`${url}/metrics`, { headers })).status).toBe(200);
    }
  });
});
