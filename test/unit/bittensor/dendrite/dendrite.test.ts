import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Dendrite } from '../../../../src-main/bittensor/dendrite/dendrite.ts';
import { NonceClock } from '../../../../src-main/bittensor/dendrite/nonce-clock.ts';
import { ECHO, testDendrite, WORDS } from '../../../support/bittensor-axon.ts';
import { testSigner } from '../../../support/bittensor-signer.ts';
import { freePort } from '../../../support/free-port.ts';
import { until } from '../../../support/until.ts';

const FIELDS = { prompt: 'x', said: '' };
const ANSWER = { ...FIELDS, said: 'X', axon: { status_code: 200, status_message: 'Success' } };

/** An axon that says what a test wants it to. */
async function axonThat(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    ip: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    hotkey: (await testSigner('//Axon')).address,
  };
}

const saying = (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (_, response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
};

describe('what an axon says', () => {
  it.each([
    ['an answer', saying(200, ANSWER), 200, 'Success'],
    ['a failure in an answer', saying(200, { ...ANSWER, axon: { status_code: 500, status_message: 'no' } }), 500, 'no'],
    ['an answer without a status', saying(200, FIELDS), 0, ''],
    ['a status in headers', saying(200, FIELDS, { bt_header_axon_status_code: '200' }), 200, ''],
    ['a refusal', saying(403, { message: 'no' }), 403, 'no'],
    ['a refusal without words', saying(422, { detail: [] }), 422, ''],
    ['no JSON', saying(200, '{'), 422, 'Failed to parse response'],
    [
      'JSON that is said to be something else',
      saying(200, ANSWER, { 'content-type': 'text/plain' }),
      422,
      'Failed to parse',
    ],
    ['fields of another type', saying(200, { ...ANSWER, said: 1 }), 422, 'Failed to parse response: said'],
    ['nesting without an end', saying(200, '['.repeat(100_000)), 422, 'too many parts'],
    ['a way to somewhere else', saying(302, {}, { location: 'http://169.254.169.254/' }), 302, ''],
  ])('%s is told by the SDK’s status', async (_, listener, status, message) => {
    const answer = await (await testDendrite()).call(await axonThat(listener), ECHO, FIELDS);
    expect(answer).toMatchObject({ status, message: expect.stringContaining(message) });
  });

  it('without an end is not read', async () => {
    const flood: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    };
    const place = await axonThat(flood);
    const dendrite = await testDendrite();
    expect(await dendrite.call(place, ECHO, FIELDS)).toMatchObject({
      status: 422,
      message: expect.stringContaining('long'),
    });
    const stream = dendrite.stream(place, WORDS, FIELDS);
    let bytes = 0;
    let next = await stream.next();
    for (; !next.done; next = await stream.next()) bytes += next.value.length;
    expect(next.value.status).toBe(422);
    expect(bytes).toBeLessThanOrEqual(4 << 20);
  });

  it('too late is a time-out, also in the middle of a stream', async () => {
    const slow: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('first');
    };
    const silent = await axonThat(() => undefined);
    const dendrite = await testDendrite();
    const message = 'Request timeout after 0.3 seconds';
    expect(await dendrite.call(silent, ECHO, FIELDS, { timeout: 0.3 })).toMatchObject({ status: 408, message });
    const stream = dendrite.stream(await axonThat(slow), WORDS, FIELDS, { timeout: 0.3 });
    let last = await stream.next();
    while (!last.done) last = await stream.next();
    expect(last.value).toMatchObject({ status: 408, message });
  });

  it('is nothing, where nobody is or who is there hangs up', async () => {
    const dendrite = await testDendrite();
    const place = { ...(await axonThat((request) => request.socket.destroy())), ip: '127.0.0.1' };
    expect(await dendrite.call(place, ECHO, FIELDS)).toMatchObject({ status: 503 });
    const port = await freePort();
    expect(await dendrite.call({ ...place, port }, ECHO, FIELDS)).toMatchObject({
      status: 503,
      message: `Service unavailable at 127.0.0.1:${port}/Echo`,
    });
  });
});

it('asks nobody in its own network, whatever address an axon gives', async () => {
  let asked = 0;
  const place = await axonThat((_, response) => {
    asked++;
    response.end();
  });
  const dendrite = new Dendrite({ signer: await testSigner('//D') });
  onTestFinished(() => dendrite.close());
  for (const ip of ['127.0.0.1', '192.168.0.1', '169.254.169.254', '::ffff:127.0.0.1', 'localhost', '0.0.0.0']) {
    expect((await dendrite.call({ ...place, ip }, ECHO, FIELDS)).status).toBe(503);
  }
  expect(asked).toBe(0);
});

it('signs with nonces that rise, also where the clock goes back', () => {
  const clock = { now: 1_800_000_000_000.7 };
  const nonces = new NonceClock(() => clock.now);
  const first = nonces.next();
  expect(first).toBe(1_800_000_000_000_000_000n);
  expect(nonces.next()).toBe(first + 1n);
  clock.now -= 1_000;
  expect(nonces.next()).toBe(first + 2n);
});

it('questions that are on their way to one axon at once have an id each, since one may overtake the other', async () => {
  const ids: unknown[] = [];
  const held: (() => void)[] = [];
  const place = await axonThat((request, response) => {
    request.resume();
    ids.push(request.headers.bt_header_dendrite_uuid);
    held.push(() => saying(200, ANSWER)(request, response));
  });
  const dendrite = await testDendrite();
  const asked = [0, 1].map(() => dendrite.call(place, ECHO, FIELDS));
  await until(() => expect(held).toHaveLength(2));
  for (const answer of held.splice(0)) answer();
  await Promise.all(asked);
  const third = dendrite.call(place, ECHO, FIELDS);
  await until(() => expect(held).toHaveLength(1));
  held[0]?.();
  expect((await third).status).toBe(200);
  expect(new Set(ids.slice(0, 2)).size).toBe(2);
  expect(ids.slice(0, 2)).toContain(ids[2]);
});
