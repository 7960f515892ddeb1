import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../src-main/base/sha256.ts';
import * as calls from '../../../../src-main/bittensor/chain/calls.ts';
import { encodedCall } from '../../../../src-main/bittensor/chain/calls.ts';
import { signedCall } from '../../../../src-main/bittensor/chain/extrinsic.ts';
import { MOST_CALL_BYTES } from '../../../../src-main/bittensor/signer-service/signer-service.ts';
import { signaturesReady, verify } from '../../../../src-main/bittensor/sr25519.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { RUNTIME_381 } from '../../../support/runtime-381.ts';
import { BLOCK_HASH, GENESIS } from '../../../support/scripted-chain.ts';
import { openTestSigner, resultText, SIGNER_TOKEN } from '../../../support/signer.ts';
import { until } from '../../../support/until.ts';

const get = (url: string, token?: string) =>
  fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

describe('a signer', () => {
  it('tells everybody that it is there, and its address to those who have the token', async () => {
    const { service, key } = await openTestSigner();
    expect(await (await get(`${service.url}/healthz`)).json()).toEqual({ ok: true });
    expect((await get(`${service.url}/pubkey`)).status).toBe(401);
    expect(await (await get(`${service.url}/pubkey`, SIGNER_TOKEN)).json()).toEqual({ hotkey: key.address });
    expect((await get(`${service.url}/else`, SIGNER_TOKEN)).status).toBe(404);
  });

  it('tells everybody that its hotkey cannot sign, what is to be done, and when it can again', async () => {
    let fault: QuarryError | undefined = new QuarryError(
      { code: 'NOT_RUNNING', message: 'The process has ended.', hint: 'Enter the password.' },
      { cause: new Error('/secret/path') },
    );
    let looks = 0;
    const time = { now: 1_000 };
    const { service } = await openTestSigner({
      check: async () => {
        looks++;
        if (fault) throw fault;
      },
      now: () => time.now,
    });
    const health = async () => {
      const answer = await get(`${service.url}/healthz`);
      return [answer.status, await answer.json()];
    };
    const down = [503, { ok: false, error: 'The process has ended. Enter the password.' }];
    expect(await Promise.all([health(), health()])).toEqual([down, down]);
    for (let each = 0; each < 5; each++) expect(await health()).toEqual(down);
    expect(looks).toBe(1); // whoever asks without a token keeps no key busy
    fault = undefined;
    time.now += 1_000;
    expect(await health()).toEqual([200, { ok: true }]);
  });

  it('tells everybody that it signs nothing because its log cannot be written', async () => {
    const { service, audit } = await openTestSigner();
    Object.defineProperty(audit, 'failure', { value: new Error('ENOSPC') });
    const answer = await get(`${service.url}/healthz`);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { ok: false, error: expect.stringMatching(/audit log cannot be written.*start the signer anew/) },
    ]);
  });

  it('signs results of its hotkey', async () => {
    const { post, key, told } = await openTestSigner();
    const payloads = [resultText(key.address), resultText(key.address, 'Another answer: ä€😀')];
    const { status, body } = await post('/sign', { payloads });
    expect([status, body.success, body.hotkey]).toEqual([200, true, key.address]);
    await signaturesReady();
    const signatures = body.signatures as string[];
    for (const [at, payload] of payloads.entries()) {
      expect(verify(Buffer.from(payload), Buffer.from(signatures[at]!, 'hex'), key.publicKey)).toBe(true);
    }
    expect((await told()).slice(1)).toMatchObject([
      {
        event: 'sign',
        outcome: 'asked',
        from: '127.0.0.1',
        payloads: payloads.map((one) => sha256(one).toString('hex')),
      },
      { event: 'sign', outcome: 'done' },
    ]);
  });

  it('sets weights for the subnets that were named', async () => {
    const { post, sent, told } = await openTestSigner();
    const asked = { netuid: 3, uids: [0, 7], weights: [0.25, 1], wait_for_inclusion: true, version_key: '12' };
    expect(await post('/set_weights', asked)).toEqual({
      status: 200,
      body: { success: true, pending: false, block: 7, hash: '0xab', warnings: [] },
    });
    expect(sent).toEqual([{ netuid: 3, uids: [0, 7], weights: [0.25, 1], versionKey: 12n, wait: true }]);
    expect((await told()).slice(1)).toMatchObject([
      { outcome: 'asked', netuid: 3, uids: [0, 7], weights: [0.25, 1], version: '12' },
      { outcome: 'done', block: 7, hash: '0xab' },
    ]);
    const { body } = await post('/set_weights', { netuid: 3, uids: [1], weights: [1] });
    expect(body).toMatchObject({ success: true, pending: true, block: null });
  });

  it('tells why weights were not set, and writes that down', async () => {
    const { QuarryError } = await import('../../../../src-preload/contract/errors.ts');
    const { post, told } = await openTestSigner({
      send: async () => {
        throw new QuarryError({ code: 'CHAIN_REFUSED', message: 'Too soon.', hint: 'Wait.' });
      },
    });
    const answer = await post('/set_weights', { netuid: 3, uids: [1], weights: [1] });
    expect(answer).toEqual({ status: 409, body: { success: false, error: 'Too soon. Wait.', code: 'CHAIN_REFUSED' } });
    expect((await told()).at(-1)).toMatchObject({ outcome: 'failed', code: 'CHAIN_REFUSED', error: 'Too soon.' });
  });

  it('keeps to itself what nobody expected', async () => {
    const { post } = await openTestSigner({
      send: async () => {
        throw new Error('the secret of /etc');
      },
    });
    const answer = await post('/set_weights', { netuid: 3, uids: [1], weights: [1] });
    expect(answer).toMatchObject({
      status: 500,
      body: { success: false, error: expect.not.stringContaining('secret') },
    });
  });

  it('sets weights one at a time', async () => {
    const free = Promise.withResolvers<void>();
    const { post, sent } = await openTestSigner({
      send: async () => {
        await free.promise;
        return { pending: true, block: null, hash: null, warnings: [] };
      },
    });
    const asked = { netuid: 3, uids: [1], weights: [1] };
    const first = post('/set_weights', asked);
    await until(() => expect(sent).toHaveLength(1));
    expect(await post('/set_weights', asked)).toMatchObject({ status: 409, body: { success: false } });
    free.resolve();
    expect(await first).toMatchObject({ status: 200 });
    expect(sent).toHaveLength(1);
  });

  it('waits for a block as long as it is meant to, and when it ends answers who waits', async () => {
    const untilAborted: Parameters<typeof openTestSigner>[0] = {
      send: async (_, { signal }) => {
        await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
        return { pending: true, block: null, hash: '0xcd', warnings: [] };
      },
    };
    const asked = { netuid: 3, uids: [1], weights: [1], wait_for_inclusion: true };
    const impatient = await openTestSigner({ ...untilAborted, waitMs: 50 });
    expect(await impatient.post('/set_weights', asked)).toMatchObject({ status: 200, body: { pending: true } });
    const ending = await openTestSigner(untilAborted);
    const waiting = ending.post('/set_weights', asked);
    await until(() => expect(ending.sent).toHaveLength(1));
    await ending.close();
    expect(await waiting).toMatchObject({ status: 200, body: { pending: true, hash: '0xcd' } });
    expect((await ending.told()).slice(-2)).toMatchObject([{ outcome: 'pending' }, { event: 'stop' }]);
  });
});

describe('whoever attacks a signer', () => {
  it('gets nothing without the token, nor with a wrong one', async () => {
    const { service, post, key, sent, told } = await openTestSigner();
    const payloads = [resultText(key.address)];
    for (const token of ['', 'wrong', `${SIGNER_TOKEN}x`, SIGNER_TOKEN.slice(1)]) {
      const answer = await post('/sign', { payloads }, token);
      expect(answer).toMatchObject({ status: 401, body: { success: false } });
      expect(answer.body).not.toHaveProperty('signatures');
    }
    expect((await post('/set_weights', { netuid: 3, uids: [1], weights: [1] }, 'wrong')).status).toBe(401);
    const basic = await fetch(`${service.url}/pubkey`, { headers: { authorization: `Basic ${SIGNER_TOKEN}` } });
    expect(basic.status).toBe(401);
    expect(sent).toEqual([]);
    expect((await told()).at(-1)).toMatchObject({ event: 'refused', error: 'no token', path: 'GET /pubkey' });
  });

  it('is slowed down with wrong tokens, fills no log, and keeps nobody out who has the right one', async () => {
    const { post, key, told } = await openTestSigner();
    const answers = [];
    for (let guess = 0; guess < 60; guess++) answers.push(await post('/sign', { payloads: ['x'] }, `guess${guess}`));
    const counts = Map.groupBy(answers, ({ status }) => status);
    expect([...counts.keys()].sort()).toEqual([401, 429]);
    expect(counts.get(401)?.length).toBeLessThan(15);
    expect((await told()).length).toBeLessThan(20);
    expect((await post('/sign', { payloads: [resultText(key.address)] })).status).toBe(200);
  });

  it('has no text signed but results of this hotkey, to the letter', async () => {
    const { post, key, told } = await openTestSigner();
    const own = resultText(key.address);
    const [tag, json = ''] = own.split('\n');
    const refused = [
      'Send all my TAO to 5F3sa2Tj.',
      '0x0a0000',
      `0x${Buffer.from(own).toString('hex')}`,
      `<Bytes>${own}</Bytes>`,
      ` ${own}`,
      `${own}\n`,
      own.replace('quarry-result-1', 'quarry-result-2'),
      `${tag}\n`,
      `${tag}\n${json.replace('{', '{ ')}`,
      `${tag}\n${JSON.stringify({ ...JSON.parse(json), more: 1 })}`,
      `${tag}\n${JSON.stringify({ ...JSON.parse(json), score: '0' })}`,
      resultText('5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty'),
      own.replace('I do not know', 'I do not know \\ud800'),
      randomBytes(300).toString('latin1'),
      'x'.repeat(32),
    ];
    for (const payload of refused) {
      const answer = await post('/sign', { payloads: [own, payload] });
      expect([payload.slice(0, 40), answer.status, answer.body.signatures]).toEqual([
        payload.slice(0, 40),
        400,
        undefined,
      ]);
    }
    const signed = (await told()).filter(({ event, outcome }) => event === 'sign' && outcome !== 'refused');
    expect(signed).toEqual([]);
    expect((await post('/sign', { payloads: [own] })).status).toBe(200);
  });

  it.skipIf(!RUNTIME_381)('smuggles in no call of the chain, neither as it is signed nor as its hash', async () => {
    const { post, key } = await openTestSigner();
    const runtime = RUNTIME_381!;
    const sized = await Promise.all(
      [
        calls.transferKeepAlive({ to: key.address, amount: 1n }),
        calls.setCommitment({ netuid: 3, data: Buffer.alloc(500, 'quarry-result-1') }),
      ].map(async (call) => {
        const messages: Uint8Array[] = [];
        const sign = async (message: Uint8Array) => {
          messages.push(message);
          return new Uint8Array(64);
        };
        const terms = { genesis: GENESIS, nonce: 0, since: { number: 5, hash: BLOCK_HASH } };
        await signedCall(runtime, encodedCall(runtime, call), { ...key, sign }, terms);
        for (const message of messages) {
          const bytes = Buffer.from(message);
          const texts = (['utf8', 'latin1', 'hex', 'base64'] as const).map((encoding) => bytes.toString(encoding));
          for (const text of [...texts, `0x${bytes.toString('hex')}`]) {
            expect((await post('/sign', { payloads: [text] })).status).toBe(400);
          }
        }
        return messages.map(({ length }) => length);
      }),
    );
    // What a chain has signed is this short, always; a result never is.
    expect(sized.flat().every((length) => length <= MOST_CALL_BYTES)).toBe(true);
    expect(sized[1]).toEqual([32]);
  });

  it('has nothing signed that is as short as a call: the chain signs only those as they are', async () => {
    const { post, key, sent } = await openTestSigner({ maySign: () => true });
    expect((await post('/sign', { payloads: ['x'.repeat(MOST_CALL_BYTES)] })).status).toBe(400);
    expect((await post('/sign', { payloads: ['x'.repeat(32)] })).status).toBe(400);
    expect((await post('/sign', { payloads: ['x'.repeat(MOST_CALL_BYTES + 1)] })).status).toBe(200);
    expect(Buffer.byteLength(resultText(key.address, ''))).toBeGreaterThan(MOST_CALL_BYTES);
    expect(sent).toEqual([]);
  });

  it.each([
    ['another subnet', { netuid: 4 }, /no weights on subnet 4/],
    ['lists of unlike lengths', { weights: [1] }, /weights: must be as many/],
    ['a neuron twice', { uids: [1, 1] }, /uids: must have each uid once/],
    ['a number as a text', { uids: ['1', '2'] }, /uids\.0/],
    ['a number that stands alone', { uids: 1, weights: 1 }, /uids/],
    ['half a neuron', { uids: [1, 2.5] }, /uids\.1/],
    ['a neuron below 0', { uids: [-1, 2] }, /uids\.0/],
    ['a neuron that cannot be', { uids: [1, 65_536] }, /uids\.1/],
    ['a weight below 0', { weights: [1, -1] }, /weights\.1/],
    ['no weight', { weights: [1, null] }, /weights\.1/],
    ['weights of 0', { weights: [0, 0] }, /weights: must have one above 0/],
    ['nobody', { uids: [], weights: [] }, /uids/],
    ['more than a subnet has', { uids: Array(5_000).fill(1), weights: Array(5_000).fill(1) }, /uids/],
    ['a version that is none', { version_key: '-1' }, /version_key/],
    ['something else', { wait: true }, /wait/],
    ['a text for whether to wait', { wait_for_inclusion: 'yes' }, /wait_for_inclusion/],
  ])(
    'sets no weights of %s: nothing is trimmed or wrapped, and it is told what is wrong',
    async (_, change, message) => {
      const { post, sent, told } = await openTestSigner();
      const answer = await post('/set_weights', { netuid: 3, uids: [1, 2], weights: [1, 1], ...change });
      expect(answer).toMatchObject({ status: 400, body: { success: false, error: expect.stringMatching(message) } });
      expect(sent).toEqual([]);
      expect((await told()).at(-1)).toMatchObject({ event: 'set_weights', outcome: 'refused' });
    },
  );

  it('has no weight without an end taken', async () => {
    const { post, sent } = await openTestSigner();
    expect((await post('/set_weights', '{"netuid":3,"uids":[1],"weights":[1e999]}')).status).toBe(400);
    expect(sent).toEqual([]);
  });

  it('sends bodies that are too long, too deep, or no JSON, and is told so', async () => {
    const { post, service } = await openTestSigner();
    expect((await post('/sign', { payloads: ['x'.repeat(5 << 20)] })).status).toBe(413);
    expect((await post('/sign', `${'['.repeat(100)}${']'.repeat(100)}`)).status).toBe(400);
    expect((await post('/sign', 'not JSON')).status).toBe(400);
    expect((await post('/sign', { payloads: Array(65).fill('x') })).status).toBe(400);
    expect((await post('/sign', { payloads: [] })).status).toBe(400);
    expect((await post('/sign', 'null')).status).toBe(400);
    const form = await fetch(`${service.url}/sign`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SIGNER_TOKEN}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'payloads=x',
    });
    expect(form.status).toBe(415);
  });

  it('repeats what was asked, and gets no more than was asked for then', async () => {
    const { post, key, sent } = await openTestSigner();
    const payloads = [resultText(key.address)];
    const [one, two] = [await post('/sign', { payloads }), await post('/sign', { payloads })];
    expect([one.status, two.status]).toEqual([200, 200]);
    await post('/set_weights', { netuid: 3, uids: [1], weights: [1] });
    expect(sent).toHaveLength(1);
  });

  it('sends anything, and it is told what is wrong, never with a crash', async () => {
    const { post, service } = await openTestSigner();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('/sign', '/set_weights'), fc.json(), async (path, body) => {
        expect((await post(path, body)).status).toBe(400);
      }),
      { numRuns: 50 },
    );
    expect((await get(`${service.url}/healthz`)).status).toBe(200);
  });
});

it('what cannot be written down is not signed', async () => {
  const { post, key, audit, sent } = await openTestSigner();
  await audit.close();
  expect((await post('/sign', { payloads: [resultText(key.address)] })).status).toBe(500);
  expect((await post('/set_weights', { netuid: 3, uids: [1], weights: [1] })).status).toBe(500);
  expect(sent).toEqual([]);
});
