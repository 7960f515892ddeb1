import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import type { Axon } from '../../../../src-main/bittensor/axon/axon.ts';
import { serve } from '../../../../src-main/bittensor/axon/served-synapse.ts';
import type { AxonPlace } from '../../../../src-main/bittensor/dendrite/dendrite.ts';
import type { Signer } from '../../../../src-main/bittensor/signer.ts';
import { ECHO, MemoryMarks, send, signedRequest, testAxon } from '../../../support/bittensor-axon.ts';
import { testSigner } from '../../../support/bittensor-signer.ts';

const SECOND = 1_000_000_000n;
const START = 1_800_000_000_000;
const clock = { now: START };
const nowNs = () => BigInt(clock.now) * 1_000_000n;
afterEach(() => {
  clock.now = START;
});

/** An axon that has been open for a minute, and whose handler counts. */
async function opened(options: Parameters<typeof testAxon>[0] = {}) {
  const heard: string[] = [];
  const synapses = [
    serve(ECHO, ({ prompt }) => {
      heard.push(prompt);
      return {};
    }),
  ];
  const found = await testAxon({ synapses, now: () => clock.now, ...options });
  clock.now += 60_000;
  return { ...found, heard, signer: await testSigner('//Caller') };
}

const nonce = (secondsFromNow: number) => ({
  nonce: nowNs() + BigInt(Math.round(secondsFromNow * 10)) * (SECOND / 10n),
});

describe('a nonce', () => {
  it('counts once, and only those above it afterwards', async () => {
    const { place, signer, heard } = await opened();
    const request = await signedRequest({ place, signer, head: nonce(0) });
    const url = `http://127.0.0.1:${place.port}/Echo`;
    const statuses = [];
    for (let round = 0; round < 3; round++) statuses.push((await fetch(url, request)).status);
    expect([statuses, heard.length]).toEqual([[200, 401, 401], 1]);
    expect(await send({ place, signer, head: nonce(-1) })).toEqual({
      status: 401,
      message: 'Not Verified with error: Nonce is too old, a newer one was last processed',
    });
    expect((await send({ place, signer, head: nonce(1) })).status).toBe(200);
  });

  it('counts once, also when it comes many times at once', async () => {
    const { place, signer, heard } = await opened();
    const request = await signedRequest({ place, signer, head: nonce(0) });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => fetch(`http://127.0.0.1:${place.port}/Echo`, request)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(heard).toHaveLength(1);
  });

  // The SDK's window: four seconds and what the caller waits, which is a minute at most here.
  it.each([
    ['15 s old, of a caller that waits 12 s', -15, 12, 200],
    ['17 s old, of a caller that waits 12 s', -17, 12, 401],
    ['63 s old, of a caller that says it waits for a day', -63, 86_400, 401],
    ['65 s old, of a caller that says it waits for a day', -65, 86_400, 401],
    ['3 s in the future', 3, 12, 200],
    ['5 s in the future', 5, 12, 401],
    ['an hour in the future', 3_600, 12, 401],
  ])('of %s', async (_, seconds, timeout, status) => {
    const { place, signer } = await opened();
    expect((await send({ place, signer, head: { ...nonce(seconds), timeout } })).status).toBe(status);
  });

  it.each([
    ['too many uuids', 40],
    ['very many', 200],
  ])('is not taken again after %s of its hotkey', async (_, uuids) => {
    const { place, signer, heard } = await opened();
    const first = { place, signer, head: { ...nonce(0), uuid: 'first' } };
    expect((await send(first)).status).toBe(200);
    for (let round = 1; round <= uuids; round++) {
      clock.now += 60;
      await send({ place, signer, head: { ...nonce(0), uuid: `other-${round}` } });
    }
    const count = heard.length;
    expect((await send(first)).status).toBe(401);
    expect(heard).toHaveLength(count);
    const other = await testSigner('//Other');
    expect((await send({ place, signer: other, head: nonce(-1) })).status).toBe(200);
  });
});

describe('a restart', () => {
  it('lets no nonce in again, whenever it was killed, and new ones soon', async () => {
    const nonces = new MemoryMarks();
    const before = await opened({ nonces });
    const taken = { ...before, head: nonce(3) };
    expect((await send(taken)).status).toBe(200);
    // Nothing is told to the first one: it was killed. The second has its database, and its port.
    await before.axon.close();
    const after = await testAxon({ nonces, now: () => clock.now });
    const again = { signer: before.signer, place: after.place };
    expect((await send({ ...again, head: taken.head })).status).toBe(401);
    expect((await send({ ...again, head: nonce(1) })).status).toBe(401);
    clock.now += 6_000;
    expect((await send({ ...again, head: nonce(0) })).status).toBe(200);
  });

  it('lets none in again when the clock was set back meanwhile', async () => {
    const nonces = new MemoryMarks();
    const before = await opened({ nonces });
    const head = nonce(0);
    expect((await send({ ...before, head })).status).toBe(200);
    await before.axon.close();
    clock.now -= 3_000;
    const after = await testAxon({ nonces, now: () => clock.now });
    expect((await send({ signer: before.signer, place: after.place, head })).status).toBe(401);
  });

  it('costs a write every two seconds at most', async () => {
    const nonces = new MemoryMarks();
    const { place, signer } = await opened({ nonces });
    for (let round = 0; round < 10; round++) {
      clock.now += 100;
      await send({ place, signer, head: nonce(0) });
    }
    expect(nonces.writes).toBe(1);
  });

  it('takes nothing that it could forget', async () => {
    const nonces = new MemoryMarks();
    nonces.raise = () => Promise.reject(new Error('the disk is full'));
    const { place, signer, heard } = await opened({ nonces });
    expect((await send({ place, signer, head: nonce(0) })).status).toBe(500);
    expect(heard).toEqual([]);
  });
});

describe('a signature', () => {
  const WRONG = 'Not Verified with error: Signature mismatch';
  it.each([
    ['of another key', async (other: Signer) => ({ headers: { bt_header_dendrite_hotkey: other.address } }), WRONG],
    [
      'for another axon',
      async (other: Signer, place: AxonPlace) => ({ place: { ...place, hotkey: other.address } }),
      WRONG,
    ],
    ['of another uuid', async () => ({ headers: { bt_header_dendrite_uuid: 'two' } }), WRONG],
    ['of another nonce', async () => ({ headers: { bt_header_dendrite_nonce: String(nowNs() + 1n) } }), WRONG],
    ['of another body', async () => ({ headers: { computed_body_hash: ECHO.hash({ prompt: 'x', said: '' }) } }), WRONG],
    ['that is none', async () => ({ headers: { bt_header_dendrite_signature: `0x${'0'.repeat(128)}` } }), WRONG],
    ['that is missing', async () => ({ headers: { bt_header_dendrite_signature: undefined } }), /Missing Signature/],
    ['that is too short', async () => ({ headers: { bt_header_dendrite_signature: '0x12' } }), /Missing Signature/],
    ['without a nonce', async () => ({ headers: { bt_header_dendrite_nonce: undefined } }), /Missing Nonce/],
    ['with a nonce like 1e18', async () => ({ headers: { bt_header_dendrite_nonce: '1e18' } }), /Nonce/],
    ['without a hotkey', async () => ({ headers: { bt_header_dendrite_hotkey: undefined } }), /hotkey/],
    ['of no address', async () => ({ headers: { bt_header_dendrite_hotkey: `5${'1'.repeat(47)}` } }), WRONG],
    [
      'of an old SDK, whose nonces are no times',
      async () => ({ headers: { bt_header_dendrite_version: '7001000' } }),
      /7\.2/,
    ],
  ])('%s is refused', async (_, change, message) => {
    const { place, signer, heard } = await opened();
    const changed = await change(await testSigner('//Other'), place);
    const answer = await send({ place, signer, head: nonce(0), ...changed });
    expect(answer).toEqual({ status: 401, message: expect.stringMatching(message) });
    expect(heard).toEqual([]);
  });

  it('that is right says nothing of a body that was changed on the way', async () => {
    const { place, signer, heard } = await opened();
    const body = JSON.stringify({ prompt: 'another', said: '' });
    expect(await send({ place, signer, head: nonce(0), body })).toMatchObject({ status: 500 });
    expect(heard).toEqual([]);
  });
});

describe('who may not ask', () => {
  it.each([
    ['is not registered', undefined, 'Unrecognized hotkey'],
    ['has too little stake', { stake: 9n, permit: true }, 'Not enough stake'],
    ['has no permit', { stake: 10n, permit: false }, 'No validator permit'],
  ])('because it %s hears so before anything is computed', async (_, neuron, reason) => {
    const rules = { metagraph: () => neuron, leastStake: 10n, needsPermit: true };
    const { place, signer, heard } = await opened({ rules });
    // The signature is wrong too: nobody looked at it.
    const answer = await send({ place, signer, head: nonce(0), headers: { bt_header_dendrite_uuid: 'two' } });
    expect(answer).toEqual({ status: 403, message: `Forbidden. Key is blacklisted: ${reason}.` });
    expect(heard).toEqual([]);
  });

  it('is let in with stake and permit', async () => {
    const rules = { metagraph: () => ({ stake: 10n, permit: true }), leastStake: 10n, needsPermit: true };
    const { place, signer } = await opened({ rules });
    expect((await send({ place, signer, head: nonce(0) })).status).toBe(200);
  });
});

describe('too much', () => {
  /** Two, and no third within a test, however long that takes. */
  const TWO = { perSecond: 1e-6, burst: 2 };
  const limits = (more: object) => ({ limits: { perAddress: { perSecond: 1, burst: 1_000 }, ...more } });

  it('from one address is refused, whoever it says that it is', async () => {
    const { place, signer } = await opened({ limits: { perAddress: TWO } });
    const statuses = [];
    for (let round = 0; round < 4; round++) {
      statuses.push((await send({ place, signer, headers: { bt_header_dendrite_signature: undefined } })).status);
    }
    expect(statuses).toEqual([401, 401, 429, 429]);
  });

  it('of one hotkey is refused, and others pay nothing for it', async () => {
    const { place, signer } = await opened(limits({ perHotkey: TWO }));
    const statuses = [];
    for (let round = 0; round < 4; round++) {
      // What is only claimed to be the hotkey's counts for nothing.
      const claimed = { ...nonce(0.5), uuid: 'claimed' };
      await send({
        place,
        signer: await testSigner('//Other'),
        head: claimed,
        headers: { bt_header_dendrite_hotkey: signer.address },
      });
      statuses.push((await send({ place, signer, head: nonce(round / 10) })).status);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect((await send({ place, signer: await testSigner('//Other'), head: nonce(0) })).status).toBe(200);
  });

  it('of a body is not read', async () => {
    const { place, signer, heard } = await opened(limits({ bodyBytes: 1_000 }));
    const fields = { prompt: 'x'.repeat(2_000), said: '' };
    expect((await send({ place, signer, head: nonce(0), fields })).status).toBe(413);
    expect(heard).toEqual([]);
  });

  it.each([
    ['signed', 413, {}],
    ['unsigned', 401, { bt_header_dendrite_signature: undefined }],
  ])('of a body that never ends is cut off, %s', async (_, status, headers) => {
    const { axon, place, signer, heard } = await opened(limits({ bodyBytes: 100_000 }));
    const request = await signedRequest({ place, signer, head: nonce(0), headers });
    expect(await pour(axon, request.headers as Record<string, string>)).toBeLessThan(20_000_000);
    expect(axon.report().refused.get(status)).toBe(1);
    expect(heard).toEqual([]);
  });

  it('of headers is refused by the parser, and the next one is served', async () => {
    const { axon, place, signer } = await opened();
    const headers = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`x-${at}`, 'y'.repeat(100)]));
    expect(await pour(axon, headers)).toBeLessThan(20_000_000);
    expect(axon.report()).toEqual({ answered: 0, refused: new Map(), isReached: false });
    expect((await send({ place, signer, head: nonce(0) })).status).toBe(200);
  });

  it('of time: who sends its headers or its body slowly is cut off, and others are served meanwhile', async () => {
    const { axon, place, signer, heard } = await opened(limits({ requestTimeoutMs: 400 }));
    const { host } = new URL(axon.url);
    const request = await signedRequest({ place, signer, head: nonce(0) });
    const head = Object.entries({ ...(request.headers as Record<string, string>), host, 'content-length': '1000' });
    const slow = [
      'POST /Echo HTTP/1.1\r\nhost: x\r\n',
      `POST /Echo HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n{`,
    ].map((text) => {
      const socket = connect(Number(new URL(axon.url).port), '127.0.0.1');
      socket.write(text);
      return { closed: closeOf(socket) };
    });
    expect((await send({ place, signer: await testSigner('//Other'), head: nonce(0) })).status).toBe(200);
    await Promise.all(slow.map(({ closed }) => closed));
    expect(heard).toEqual(['hello']);
  });
});

describe('what is no question', () => {
  it.each([
    ['no JSON', '{', 422],
    ['nothing', '', 422],
    ['a field of another type', '{"prompt":1}', 422],
    ['a field too few', '{}', 422],
  ])('because its body is %s is refused', async (_, body, status) => {
    const { place, signer, heard } = await opened();
    expect((await send({ place, signer, head: nonce(0), body })).status).toBe(status);
    expect(heard).toEqual([]);
  });

  it('because nobody knows its synapse is refused in the SDK’s words', async () => {
    const { axon } = await opened();
    const answer = await fetch(`${axon.url}/Nonsense`, { method: 'POST' });
    const message = "Synapse name 'Nonsense' not found. Available synapses ['Synapse', 'Echo']";
    expect([answer.status, await answer.json()]).toEqual([404, { message }]);
    expect((await fetch(`${axon.url}/a/b/c`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(axon.url)).status).toBe(404);
  });

  it('because a required field is not announced is refused', async () => {
    const { place, signer } = await opened();
    const headers = { bt_header_input_obj_prompt: undefined };
    expect((await send({ place, signer, head: nonce(0), headers })).status).toBe(400);
  });

  it('is told in headers too, where dendrites look', async () => {
    const { axon } = await opened();
    const { headers } = await fetch(`${axon.url}/Echo`, { method: 'POST' });
    expect(headers.get('bt_header_axon_status_code')).toBe('400');
    expect(axon.report().refused.get(400)).toBe(1);
  });
});

/** Sends headers, then a body without an end, as fast as it is taken, until it is cut off. @returns bytes that were taken */
async function pour(axon: Axon, headers: Record<string, string>): Promise<number> {
  const socket = connect(Number(new URL(axon.url).port), '127.0.0.1');
  const closed = closeOf(socket);
  const lines = Object.entries({ host: 'x', 'transfer-encoding': 'chunked', ...headers });
  socket.write(`POST /Echo HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
  const more = () => {
    while (socket.writable && socket.write(chunk)) if (socket.bytesWritten > 50_000_000) socket.destroy();
  };
  socket.on('drain', more);
  more();
  await closed;
  return socket.bytesWritten;
}

function closeOf(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on('error', ignoring('it is cut off, which is what is wanted')).once('close', () => resolve());
  socket.resume();
  return promise;
}
