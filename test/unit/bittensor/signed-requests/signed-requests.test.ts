import { expect, it } from 'vitest';
import { z } from 'zod';
import { sha256 } from '../../../../src-main/base/sha256.ts';
import { SignatureCheck } from '../../../../src-main/bittensor/axon/signature.ts';
import { Gate, perMinute } from '../../../../src-main/bittensor/signed-requests/gate.ts';
import { readJson, refuseOtherBody } from '../../../../src-main/bittensor/signed-requests/request-body.ts';
import { signRequest } from '../../../../src-main/bittensor/signed-requests/sign-request.ts';
import { NO_BODY, signedText } from '../../../../src-main/bittensor/signed-requests/signed-text.ts';
import { testSigner } from '../../../support/bittensor-signer.ts';

/** A gate whose nonces and marks are in memory. */
async function openGate(now: () => number = Date.now, kept = { nonces: new Set<string>(), mark: 0 }) {
  const own = await testSigner('//Server');
  const { nonces } = kept;
  const forged: string[] = [];
  const gate = await Gate.open<'list'>({
    ...{ tag: 'quarry-test-1', name: 'test server', server: own.address, now },
    rates: { address: { perSecond: 1, burst: 20 }, hotkey: perMinute(3), routes: { list: perMinute(1) } },
    store: {
      takeNonce: async (hotkey, nonce) => nonces.size !== nonces.add(`${hotkey} ${nonce}`).size,
      forgetNonces: async () => nonces.clear(),
    },
    marks: {
      load: async () => kept.mark,
      raise: async (_, mark) => {
        kept.mark = mark;
      },
    },
    signatures: await SignatureCheck.open(),
    onForged: async (address) => void forged.push(address),
  });
  const request = { tag: 'quarry-test-1', server: own.address, method: 'GET', path: '/x', timestamp: now() };
  const ask = (headers: Record<string, string>, route?: 'list') =>
    gate.admit({ method: 'GET', url: '/x', headers }, '192.0.2.1', route);
  return { gate, ask, request, forged };
}

it('what is signed are eight lines', () => {
  const request = { tag: 't', server: 's', hotkey: 'h', method: 'GET', path: '/p?q=1', bodySha256: NO_BODY };
  expect(signedText({ ...request, timestamp: 5, nonce: 'n' })).toBe(`t\ns\nh\nGET\n/p?q=1\n${NO_BODY}\n5\nn`);
});

it('who signs is let in, once', async () => {
  const { ask, request } = await openGate();
  const ann = await testSigner('//Ann');
  const headers = await signRequest(ann, request);
  expect(await ask(headers)).toMatchObject({ hotkey: ann.address, bodySha256: NO_BODY });
  await expect(ask(headers)).rejects.toMatchObject({ status: 401, message: 'This nonce was used before.' });
});

it('what was forgotten does not come again, though the clock was set back and the server opened anew', async () => {
  const [clock, kept] = [{ at: 1_000_000 }, { nonces: new Set<string>(), mark: 0 }];
  const before = await openGate(() => clock.at, kept);
  const ann = await testSigner('//Ann');
  const headers = await signRequest(ann, before.request);
  await before.ask(headers);
  clock.at += 600_000;
  await before.gate.forget();
  expect(kept.nonces.size).toBe(0);
  clock.at = 1_000_000;
  const after = await openGate(() => clock.at, kept);
  await expect(after.ask(headers)).rejects.toMatchObject({ status: 401, message: expect.stringMatching(/remembers/) });
});

it.each([
  ['tag', { tag: 'quarry-market-1' }],
  ['server', { server: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty' }],
])('what was signed for another %s is refused, and told of', async (_, other) => {
  const { ask, request, forged } = await openGate();
  const headers = await signRequest(await testSigner('//Ann'), { ...request, ...other });
  await expect(ask(headers)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(forged).toEqual(['192.0.2.1']);
});

it('hotkeys have their rates, on some routes lower ones', async () => {
  const { ask, request } = await openGate(() => 1_000_000);
  const ann = await testSigner('//Ann');
  const once = async (route?: 'list') => ask(await signRequest(ann, request), route);
  await once('list');
  await expect(once('list')).rejects.toMatchObject({ status: 429, retryAfterMs: 60_000 });
  await once();
  await expect(once()).rejects.toMatchObject({ code: 'RATE_LIMIT', retryAfterMs: 20_000 });
});

it('a body is the one that was signed, JSON, and no more than is wanted', () => {
  const body = Buffer.from('{"a":1}');
  refuseOtherBody({ bodySha256: sha256(body).toString('hex') }, body);
  expect(() => refuseOtherBody({ bodySha256: NO_BODY }, body)).toThrow(/not the one/);
  const shape = z.strictObject({ a: z.number() });
  expect(readJson(shape, body)).toEqual({ a: 1 });
  for (const text of ['{"a":1', '{"a":1,"b":2}', '{"a":"1"}', '['.repeat(5_000)]) {
    expect(() => readJson(shape, Buffer.from(text))).toThrow(expect.objectContaining({ status: 400 }));
  }
  expect(() => readJson(shape, undefined)).toThrow(/missing/);
});
