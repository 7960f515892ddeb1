import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { EndpointMiners } from '../../../../src-main/app/validator/miners/endpoint-miners.ts';
import { NotReached } from '../../../../src-main/validation/run/miner.ts';
import { type Answering, ChatServer } from '../../../support/chat-server.ts';
import { freePort } from '../../../support/free-port.ts';

const log = pino({ level: 'silent' });
const question = () => ({
  prompt: 'a question',
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
  await expect(miner.ask({ ...question(), timeoutMs: 300 })).rejects.toMatchObject({ code: 'DEADLINE' });
  if (server.asked.length === 0) return; // a busy machine: it was late before it was asked
  await expect(miner.ask({ ...question(), timeoutMs: 300 })).rejects.not.toBeInstanceOf(NotReached);
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

async function listening(onConnection: Parameters<typeof createServer>[1]): Promise<number> {
  const server: Server = createServer({}, onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
