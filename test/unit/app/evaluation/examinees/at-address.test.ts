import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { atAddress } from '../../../../../src-main/app/evaluation/examinees/at-address.ts';
import { ignoring } from '../../../../../src-main/base/swallowed.ts';
import { chunkOf, streamAnswer } from '../../../../support/chat-server.ts';
import { LocalServer } from '../../../../support/local-server.ts';

const KEY = 'sk-0123456789abcdef';
const HOW = { maxTokens: 8, signal: new AbortController().signal };
const QUESTION = { dataset: 'needle', context: '', prompt: 'a' };
const MODELS = JSON.stringify({ object: 'list', data: [{ id: 'one' }, { id: 'two' }] });

type Answering = (response: ServerResponse, request: IncomingMessage) => void;

/** A server that lists two models, and does what is said at other paths. */
async function serverOf(answers: Record<string, Answering>): Promise<LocalServer> {
  const server = new LocalServer((request, response) => {
    request.resume();
    if (request.url === '/v1/models' && !answers['/v1/models']) return void response.end(MODELS);
    const answer = answers[request.url ?? ''];
    if (answer) answer(response, request);
    else response.writeHead(404).end();
  });
  await server.open();
  onTestFinished(() => server.close());
  return server;
}

async function opened(
  { origin }: LocalServer,
  { key, model, signal = HOW.signal }: { key?: string; model?: string; signal?: AbortSignal } = {},
) {
  const needs = { keyFor: () => key, log: pino({ level: 'silent' }), firstRetryMs: 1 };
  const target = { kind: 'address' as const, url: `${origin}/v1`, ...(model && { model }) };
  const examinee = await atAddress(needs, target, signal);
  onTestFinished(() => examinee[Symbol.asyncDispose]());
  return examinee;
}

function* forEver<T>(one: T): Generator<T, never> {
  for (;;) yield one;
}

const chat = (answering: Answering) => ({ '/v1/chat/completions': answering });

it('asks the model that is named, with the key, and keeps the key out of what is said', async () => {
  const keys: (string | undefined)[] = [];
  const server = await serverOf(
    chat((response, { headers }) => {
      keys.push(headers.authorization);
      streamAnswer(response, `Your key is ${KEY}.`);
    }),
  );
  const examinee = await opened(server, { key: KEY, model: 'two' });
  expect(examinee).toMatchObject({ model: 'two', sha256: null });
  const { text, firstMs, totalMs } = await examinee.ask(QUESTION, HOW);
  expect(text).not.toContain(KEY);
  expect(keys).toEqual([`Bearer ${KEY}`]);
  expect(totalMs).toBeGreaterThanOrEqual(firstMs);
});

it('says where the key belongs, without it, when a server refuses it', async () => {
  const server = await serverOf({ '/v1/models': (response) => response.writeHead(401).end(`not ${KEY}`) });
  const refused = await opened(server, { key: KEY }).catch((error) => error);
  expect(refused).toMatchObject({ code: 'UNAUTHORIZED', hint: expect.stringContaining('settings') });
  expect(JSON.stringify(refused)).not.toContain(KEY);
});

it('names the models that there are where the wanted one is not', async () => {
  const server = await serverOf({});
  await expect(opened(server, { model: 'three' })).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
    hint: expect.stringContaining('one'),
  });
});

it('believes what a server counts, as long as it can be so', async () => {
  let count: unknown = 4;
  const server = await serverOf({ '/tokenize': (response) => response.end(JSON.stringify({ count })) });
  const examinee = await opened(server);
  const text = 'twenty bytes of text';
  expect(await examinee.count(text)).toBe(4);
  for (const lie of [0, 1, 1e12, 'many', -1]) {
    count = lie;
    expect(await examinee.count(text)).toBe(5);
  }
});

it('asks again where a server is busy for a moment, and no more often than is reasonable', async () => {
  let times = 0;
  const server = await serverOf(
    chat((response) => {
      if (++times % 3 > 0) response.writeHead(times % 3 === 1 ? 503 : 500).end();
      else streamAnswer(response, 'Yes.');
    }),
  );
  const examinee = await opened(server);
  expect(await examinee.ask(QUESTION, HOW)).toMatchObject({ text: 'Yes.' });
  expect(times).toBe(3);
  const away = await serverOf(chat((response) => response.destroy()));
  await expect((await opened(away)).ask(QUESTION, HOW)).rejects.toMatchObject({ retryable: true });
});

it('gives up an answer without an end, one that is none, and one that is too long for it', async () => {
  const piece = chunkOf('x'.repeat(500_000));
  const endless = await serverOf(
    chat((response) => {
      void pipeline(Readable.from(forEver(piece)), response).catch(ignoring('whoever reads it hangs up'));
    }),
  );
  await expect((await opened(endless)).ask(QUESTION, HOW)).rejects.toMatchObject({ code: 'PROTOCOL' });
  const page = await serverOf(chat((response) => response.end('data: <html>\n\n')));
  await expect((await opened(page)).ask(QUESTION, HOW)).rejects.toMatchObject({ code: 'PROTOCOL' });
  const full = await serverOf(
    chat((response) => {
      response.writeHead(400);
      response.end(JSON.stringify({ error: { message: 'too long', code: 'context_length_exceeded' } }));
    }),
  );
  await expect((await opened(full)).ask(QUESTION, HOW)).rejects.toMatchObject({ code: 'CONTEXT_TOO_LONG' });
});

it('waits for nobody who is not to be waited for', async () => {
  const stop = new AbortController();
  const silent = await serverOf({ '/v1/models': () => stop.abort() });
  await expect(opened(silent, { signal: stop.signal })).rejects.toMatchObject({ code: 'CANCELLED' });
  const ending = new AbortController();
  const mute = await serverOf(chat(() => ending.abort()));
  const examinee = await opened(mute);
  await expect(examinee.ask(QUESTION, { ...HOW, signal: ending.signal })).rejects.toBeDefined();
});
