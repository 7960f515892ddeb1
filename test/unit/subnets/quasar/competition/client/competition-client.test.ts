import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { CompetitionClient } from '../../../../../../src-main/subnets/quasar/competition/client/competition-client.ts';
import { testSigner } from '../../../../../support/bittensor-signer.ts';
import { type Fault, SmallCompetition } from '../../../../../support/small-competition.ts';

const { signal } = new AbortController();

async function opened(options: { answerMs?: number } = {}) {
  const server = await SmallCompetition.open();
  onTestFinished(() => server.close());
  const as = { server: server.key, signer: await testSigner('//Alice') };
  return { server, as, client: new CompetitionClient({ url: server.url, ...options }) };
}

it.each(['http://competition.example', 'ftp://127.0.0.1', 'nowhere'])('%s is no address that is asked', (url) => {
  expect(() => new CompetitionClient({ url })).toThrowError(
    expect.objectContaining({ code: 'BAD_REQUEST', field: 'server' }),
  );
});

it('tells what a server refuses in words, and when to come again', async () => {
  const { server, client } = await opened();
  server.fail('GET /rounds/current', {
    status: 429,
    code: 'RATE_LIMIT',
    message: 'too\u001b[31m often',
    retryAfter: 7_000,
  });
  await expect(client.current(signal)).rejects.toMatchObject({
    ...{ code: 'RATE_LIMIT', retryable: true, retryAfterMs: 7_000 },
    message: 'Too much at once for the competition’s server: too [31m often',
  });
});

it.each<[string, Fault, string]>([
  ['no JSON', { text: 'hello' }, 'PROTOCOL'],
  ['another shape', { text: '{"round":"one"}' }, 'PROTOCOL'],
  ['more than an answer has', { text: `"${'x'.repeat(5 * 1024 * 1024)}"` }, 'PROTOCOL'],
  ['JSON without an end to its levels', { text: `${'['.repeat(200)}${']'.repeat(200)}` }, 'PROTOCOL'],
  ['a connection that breaks', 'cut', 'DEADLINE'],
])('%s is no answer', async (_, fault, code) => {
  const { server, client } = await opened();
  server.fail('GET /rounds/current', fault);
  await expect(client.current(signal)).rejects.toMatchObject({ code });
});

it('an answer that has more in it than any does is not read, though what is wanted of it is there', async () => {
  const { server, client } = await opened();
  const text = JSON.stringify(await client.current(signal));
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
  for (const [more, code] of [
    ['[]', undefined],
    [deep, 'PROTOCOL'],
  ] as const) {
    server.fail('GET /rounds/current', { text: `${text.slice(0, -1)},"more":${more}}` });
    const failure = await client.current(signal).then(
      () => undefined,
      (error) => error.code,
    );
    expect(failure).toBe(code);
  }
});

it('nobody is sent on to another server', async () => {
  const { server } = await opened();
  const away = createServer((request, response) => {
    response.writeHead(307, { location: `${server.url}${request.url}` }).end();
  });
  await new Promise<void>((done) => away.listen(0, '127.0.0.1', done));
  onTestFinished(() => void away.close());
  const { port } = away.address() as AddressInfo;
  await expect(new CompetitionClient({ url: `http://127.0.0.1:${port}` }).current(signal)).rejects.toThrow();
  expect(server.asked).toEqual([]);
});

it.each([
  ['a time', { endsAt: 9e15 }],
  ['a block', { block: Number.MAX_SAFE_INTEGER }],
])('%s beyond all dates, which nobody could show, is no answer', async (_, absurd) => {
  const { server, client } = await opened();
  const current = await client.current(signal);
  server.fail('GET /rounds/current', { text: JSON.stringify({ ...current, ...absurd }) });
  await expect(client.current(signal)).rejects.toMatchObject({ code: 'PROTOCOL' });
});

it('a server that never answers is given up; who asks can give up before', async () => {
  const silent = (await import('node:net')).createServer(() => {});
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { port: number };
  const client = new CompetitionClient({ url: `http://127.0.0.1:${port}`, answerMs: 50 });
  await expect(client.current(signal)).rejects.toMatchObject({ code: 'DEADLINE', retryable: true });
  const own = new AbortController();
  const asked = new CompetitionClient({ url: `http://127.0.0.1:${port}` }).current(own.signal);
  own.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});

it('a record of another round, and another artefact than was asked for, are refused', async () => {
  const { server, client, as } = await opened();
  await server.end();
  await server.end();
  expect((await client.record(as, 2, signal)).record.round).toBe(2);
  server.records.set(2, server.records.get(1) ?? { record: {} as never, signature: '' });
  await expect(client.record(as, 2, signal)).rejects.toMatchObject({ code: 'PROTOCOL' });
  server.fail('GET /artefacts/:', { text: 'another' });
  await expect(client.artefact(as, 'a'.repeat(64), signal)).rejects.toMatchObject({ code: 'PROTOCOL' });
});

it('what is signed for one server is taken by no other', async () => {
  const { client, as } = await opened();
  const other = { ...as, server: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty' };
  await expect(client.submission(other, '0'.repeat(32), signal)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});
