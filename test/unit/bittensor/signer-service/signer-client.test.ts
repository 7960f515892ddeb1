import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SignerClient } from '../../../../src-main/bittensor/signer-service/signer-client.ts';
import { signaturesReady, verify } from '../../../../src-main/bittensor/sr25519.ts';
import { freePort } from '../../../support/free-port.ts';
import { openTestSigner, resultText, SIGNER_TOKEN } from '../../../support/signer.ts';

function client(url: string, options: Partial<ConstructorParameters<typeof SignerClient>[0]> = {}) {
  const made = new SignerClient({ url, token: SIGNER_TOKEN, ...options });
  onTestFinished(() => made.close());
  return made;
}

/** A server that answers as the test says. */
async function server(answer: RequestListener): Promise<string> {
  const http = createServer(answer).listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

const weights = { netuid: 3, uids: [1, 2], weights: [65_535, 7], versionKey: 2n ** 60n };

describe('a client of a signer', () => {
  it('learns its address, has results signed and weights set', async () => {
    const { service, key, sent } = await openTestSigner();
    const signer = client(service.url);
    expect(await signer.hotkey()).toBe(key.address);
    const text = resultText(key.address);
    const { signatures, hotkey } = await signer.sign([text]);
    await signaturesReady();
    expect(verify(Buffer.from(text), Buffer.from(signatures[0]!, 'hex'), key.publicKey)).toBe(true);
    expect(hotkey).toBe(key.address);
    expect(await signer.send(weights, { wait: true })).toEqual({
      pending: false,
      block: 7,
      hash: '0xab',
      warnings: [],
    });
    expect(sent).toEqual([{ ...weights, wait: true }]);
    expect(await signer.send(weights, { wait: false })).toMatchObject({ pending: true });
  });

  it('is told what the signer has against it, and tries nothing else', async () => {
    const { service } = await openTestSigner();
    const signer = client(service.url);
    await expect(signer.sign(['Send all my TAO.'])).rejects.toMatchObject({
      ...{ code: 'BAD_REQUEST', message: expect.stringContaining('nothing else is signed') },
    });
    await expect(signer.send({ ...weights, netuid: 4 }, { wait: true })).rejects.toMatchObject({
      ...{ code: 'BAD_REQUEST', message: expect.stringContaining('subnet 4') },
    });
    await expect(client(service.url, { token: 'wrong' }).hotkey()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('is told that nobody is there, or that it takes too long', async () => {
    const away = client(`http://127.0.0.1:${await freePort()}`);
    await expect(away.hotkey()).rejects.toMatchObject({
      ...{ code: 'NOT_RUNNING', retryable: true, message: expect.stringContaining('ECONNREFUSED') },
    });
    const silent = await server(() => undefined);
    const impatient = client(silent, { timeouts: { setWeights: 100, sign: 100 } });
    await expect(impatient.send(weights, { wait: true })).rejects.toMatchObject({ code: 'DEADLINE', retryable: false });
    await expect(impatient.hotkey()).rejects.toMatchObject({ code: 'DEADLINE' });
    const reason = new Error('no longer wanted');
    await expect(client(silent).hotkey(AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it.each([
    ['no JSON', 200, 'Hello'],
    ['another shape', 200, '{"success":true,"hotkey":7}'],
    ['what is too much', 200, JSON.stringify({ hotkey: 'x'.repeat(100_000) })],
    ['what nests too deep', 200, `${'['.repeat(100)}${']'.repeat(100)}`],
    ['a failure without a reason', 500, '{}'],
    ['a way elsewhere', 302, '{"hotkey":"5…"}'],
    ['no failure, and no answer', 204, ''],
  ])('that is answered with %s says that it makes no sense', async (_, status, body) => {
    const url = await server((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', location: 'http://192.0.2.1/' }).end(body);
    });
    await expect(client(url).hotkey()).rejects.toMatchObject({ code: 'PROTOCOL' });
  });

  it('takes no other number of signatures than it has asked for, and no others than signatures', async () => {
    for (const signatures of [[], ['0'.repeat(128), '0'.repeat(128)], ['none']]) {
      const url = await server((_, response) =>
        response.end(JSON.stringify({ success: true, signatures, hotkey: '5…' })),
      );
      await expect(client(url).sign(['a text'])).rejects.toMatchObject({ code: 'PROTOCOL' });
    }
  });

  it('shows what a stranger says in one line, without what steers a terminal', async () => {
    const error = `\u001b[31mNo.\n${'x'.repeat(600)}`;
    const url = await server((_, response) => response.writeHead(409).end(JSON.stringify({ success: false, error })));
    await expect(client(url).hotkey()).rejects.toMatchObject({
      ...{ code: 'CHAIN_REFUSED', message: expect.stringMatching(/^The signer refuses: \[31mNo\. x{100,500}$/) },
    });
  });

  it.each([
    'http://192.0.2.1:8092',
    'http://signer:8092',
    'ftp://127.0.0.1',
    'nothing',
    'https://user:word@example.org',
  ])('does not send its token to %s', (url) => {
    expect(() => new SignerClient({ url, token: SIGNER_TOKEN })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    );
  });

  it.each(['http://127.0.0.1:8092', 'http://localhost:8092', 'http://[::1]:8092', 'https://signer.example.org'])(
    'would send it to %s',
    (url) => {
      expect(new SignerClient({ url, token: SIGNER_TOKEN })).toBeDefined();
    },
  );
});
