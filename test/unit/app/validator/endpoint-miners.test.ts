import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { EndpointMiners } from '../../../../src-main/app/validator/miners/endpoint-miners.ts';
import { WithoutKey } from '../../../../src-main/app/validator/miners/without-key.ts';
import { NotReached } from '../../../../src-main/validation/run/miner.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type Answering, ChatServer } from '../../../support/chat-server.ts';
import { cpuMs } from '../../../support/cpu-time.ts';
import { freePort } from '../../../support/free-port.ts';

const log = pino({ level: 'silent' });
const question = () => ({
  id: 'q',
  prompt: 'a question',
  ask: { kind: 'text' } as const,
  maxTokens: 10,
  timeoutMs: 60_000,
  signal: new AbortController().signal,
});

async function minerAt(url: string) {
  const miners = new EndpointMiners({ list: async () => [{ name: 'm', url, model: '', apiKey: '' }], log });
  onTestFinished(() => miners.close());
  const [miner] = await miners.miners();
  return miner!;
}

/** A key with all that addresses and JSON write otherwise. */
const KEY = 'sk-"a/b+c d"~0123456789';
const WRITTEN: [string, (key: string) => string][] = [
  ['as it is', (key) => key],
  ['as JSON', (key) => JSON.stringify({ authorization: `Bearer ${key}` })],
  ['as JSON within JSON', (key) => JSON.stringify(JSON.stringify({ authorization: `Bearer ${key}` }))],
  ['as JSON with each «/» as «\\/»', (key) => JSON.stringify({ authorization: key }).replaceAll('/', '\\/')],
  ['so within JSON', (key) => JSON.stringify(JSON.stringify({ authorization: key }).replaceAll('/', '\\/'))],
  ['as JSON that is safe in HTML', (key) => JSON.stringify(key).replace('/', '\\u002F').replace('+', '\\u002b')],
  ['in an address', (key) => `https://x.invalid/?key=${encodeURIComponent(key)}`],
  ['in an address, in small digits', (key) => encodeURIComponent(key).toLowerCase()],
  ['in base64', (key) => Buffer.from(key).toString('base64')],
  ['in base64, behind a name', (key) => Buffer.from(`user:${key}`).toString('base64')],
  ['in base64 of an address', (key) => Buffer.from(`ab${key}cd`).toString('base64url')],
];
/** Of the key, also of what base64 makes of it: eight of its characters in a row. */
const TRACES = /sk-"a|0123456|a%2fb|MDEyMzQ1|AxMjM0N|wMTIzND/i;

async function served(answering: Answering) {
  const server = await new ChatServer('m', answering).open();
  onTestFinished(() => server.close());
  return { server, miner: await minerAt(server.url) };
}

it.each<[string, Answering]>([
  ['hangs up once it has read it', (_, response) => void response.destroy()],
  [
    'hangs up amid its answer',
    (_, response) => void response.writeHead(200).write('data: {', () => response.destroy()),
  ],
  ['says that it is busy', (_, response) => void response.writeHead(503).end()],
  ['refuses it', (_, response) => void response.writeHead(400).end()],
  ['sends it elsewhere', (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
  ['says nothing', (_, response) => void response.writeHead(200).end()],
])('who %s was reached', async (_, answering) => {
  const { miner } = await served(answering);
  const error = await miner.ask(question()).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ name: 'QuarryError' });
  expect(error).not.toBeInstanceOf(NotReached);
});

it('who lets it wait until it is late was reached', async () => {
  const { miner, server } = await served(() => undefined);
  const error = await miner.ask({ ...question(), timeoutMs: 300 }).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: 'DEADLINE' });
  if (server.asked.length === 0) return; // a busy machine: it was late before it was asked
  expect(error).not.toBeInstanceOf(NotReached);
});

it('who is gone since it was asked before, is not there, is no such name or speaks no TLS was not reached', async () => {
  const { miner, server } = await served(() => 'an answer');
  expect(await miner.ask(question())).toBe('an answer');
  await server.close();
  await expect(miner.ask(question())).rejects.toBeInstanceOf(NotReached);
  const plain = await listening((socket) => socket.end('no TLS'));
  for (const url of [
    `http://127.0.0.1:${await freePort()}/v1`,
    'http://nobody.invalid/v1',
    `https://127.0.0.1:${plain}/v1`,
  ])
    await expect((await minerAt(url)).ask(question())).rejects.toBeInstanceOf(NotReached);
});

it('who lists no models was not told the question', async () => {
  const port = await listening((socket) => socket.end('HTTP/1.1 500 Broken\r\ncontent-length: 0\r\n\r\n'));
  await expect((await minerAt(`http://127.0.0.1:${port}/v1`)).ask(question())).rejects.toBeInstanceOf(NotReached);
});

it.each(WRITTEN)(
  'a key that its server repeats %s is in no answer, no error and no name of a model',
  async (_, write) => {
    const said = write(KEY);
    const lines: string[] = [];
    const to = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const server = await new ChatServer(`m ${said}`, (prompt, response) => {
      if (prompt === 'a question') return `before ${said} after`;
      const status = prompt === 'broken' ? 502 : 400;
      return void response
        .writeHead(status)
        .end(prompt === 'no API' ? said : JSON.stringify({ error: { message: said } }));
    }).open();
    onTestFinished(() => server.close());
    const miners = new EndpointMiners({
      list: async () => [{ name: 'm', url: server.url, model: '', apiKey: KEY }],
      log: to,
    });
    onTestFinished(() => miners.close());
    const ask = async (prompt: string) => (await miners.miners())[0]!.ask({ ...question(), prompt });
    const answer = await ask('a question');
    expect(answer).toMatch(/^before .*\[removed\].* after$/);
    const errors = await Promise.all(
      ['refused', 'no API', 'broken'].map((prompt) => ask(prompt).catch((error) => error)),
    );
    expect(errors.map(({ code }) => code)).toEqual(['BAD_REQUEST', 'BAD_REQUEST', 'ENGINE_UNAVAILABLE']);
    const [miner] = await miners.miners();
    for (const text of [answer, miner!.model, ...errors.map((error) => inspect(error, { depth: 9 })), ...lines])
      expect(text).not.toMatch(TRACES);
    expect(miner!.model).toContain('[removed]');
    expect(lines.join()).toMatch(/remote engine ready.*remote engine lost/s);
  },
);

it('a key is not left by half where an error or an answer is cut off amid it, and a short one is none', () => {
  const clean = new WithoutKey('0123456789abcdef');
  expect(clean.text('said 0123456789ab')).toBe('said [removed]');
  expect(clean.error(new QuarryError({ code: 'BAD_REQUEST', message: 'said 0123456789ab….' })).message).toBe(
    'said [removed]….',
  );
  expect(new WithoutKey('0123/567/9abcdef').text('said 0123\\/567\\/9a')).toBe('said [removed]');
  expect(new WithoutKey('EMPTY').text('EMPTY')).toBe('EMPTY');
  expect(new WithoutKey('').text('x1=True')).toBe('x1=True');
});

it.each([
  ['backslashes behind its beginning', '/12345678/"x', `/12345678${'\\'.repeat(300_000)}`],
  ['backslashes', '\\/\\\\"12345678', '\\'.repeat(300_000)],
  ['its beginning over and over', '////////////x', '/'.repeat(300_000)],
  ['its first two characters with backslashes', '/"/"/"/"x', '\\\\/\\\\"'.repeat(50_000)],
])('a key is looked for in a moment where a text is %s', async (_, key, text) => {
  expect(await cpuMs(() => new WithoutKey(key).text(text))).toBeLessThan(1_000);
});

async function listening(onConnection: Parameters<typeof createServer>[1]): Promise<number> {
  const sockets: Socket[] = [];
  const server: Server = createServer({}, onConnection);
  server.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy(); // who reads nothing does not see the other end go
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

it('one whose address is wrong keeps nobody from asking the others, and is named', async () => {
  const server = await new ChatServer('m', () => 'an answer').open();
  onTestFinished(() => server.close());
  const wrong = { name: 'wrong', url: 'http://user:secret@127.0.0.1:1/v1', model: '', apiKey: '' };
  const right = { name: 'right', url: server.url, model: '', apiKey: '' };
  let endpoints = [wrong, right];
  const miners = new EndpointMiners({ list: async () => endpoints, log });
  onTestFinished(() => miners.close());
  const [miner, ...others] = await miners.miners();
  expect([miner?.id, others]).toEqual(['endpoint/right', []]);
  expect(await miner?.ask(question())).toBe('an answer');
  expect(miners.fault).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('«wrong»') });
  expect(miners.fault?.message).not.toContain('secret');
  endpoints = [right];
  await miners.miners();
  expect(miners.fault).toBeUndefined();
});

it('which model it has is known with its first answer, of whoever listed it before', async () => {
  const { miner } = await served(() => 'an answer');
  expect(miner.model).toBe('');
  await miner.ask(question());
  expect(miner.model).toBe('m');
});
