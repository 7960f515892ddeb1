import { expect, it } from 'vitest';
import { z } from 'zod';
import { PoliteClient, type PoliteClientOptions } from '../../../../src-main/clips/sources/polite-client.ts';
import { SourceError } from '../../../../src-main/models/downloads/byte-source.ts';
import type { HttpAnswer } from '../../../../src-main/models/downloads/http-exchange.ts';
import { say } from '../../../../src-preload/contract/saying.ts';

const signal = new AbortController().signal;

/** A client by a clock that only moves while it waits. */
function scripted(answers: (() => unknown)[] = [], more: Partial<PoliteClientOptions> = {}) {
  let now = 1_000;
  const asked: { host: string; at: number }[] = [];
  const waits: number[] = [];
  const get = async ({ host }: URL): Promise<HttpAnswer> => {
    asked.push({ host, at: now });
    return (await answers.shift()?.()) as HttpAnswer;
  };
  const sleep = async (ms: number) => {
    waits.push(ms);
    now += ms;
  };
  const client = new PoliteClient({ client: { get }, now: () => now, sleep, ...more });
  const ask = (url: string) => client.get(new URL(url), {}, signal);
  return {
    client,
    ask,
    asked,
    waits,
    times: (host: string) => asked.filter((each) => each.host === host).map(({ at }) => at - 1_000),
  };
}

function fails(reason: SourceError['reason'], retryAfterMs?: number) {
  return () => {
    throw new SourceError(reason, say('hub.later'), { retryAfterMs, fault: 'server' });
  };
}

it('asks each host once a second, after two at once, and keeps nobody waiting for another host', async () => {
  const { ask, times } = scripted();
  for (let at = 0; at < 5; at++) await ask('https://one.example/');
  await ask('https://two.example/');
  expect(times('one.example')).toEqual([0, 0, 1_000, 2_000, 3_000]);
  expect(times('two.example')).toEqual([3_000]);
});

it('asks for no more at once where many want to ask at the same time', async () => {
  const { ask, waits } = scripted();
  await Promise.all(Array.from({ length: 5 }, () => ask('https://one.example/')));
  expect(Math.max(...waits)).toBeGreaterThanOrEqual(1_000);
  expect(waits).toHaveLength(3);
});

it('leaves a host alone for as long as it asks', async () => {
  const { ask, times } = scripted([fails('busy', 12_000)]);
  await ask('https://one.example/');
  expect(times('one.example')).toEqual([0, 12_000]);
});

it('leaves a long wait to whoever asks, and asks nobody in the meantime', async () => {
  const { ask, asked } = scripted([fails('busy', 600_000)]);
  await expect(ask('https://one.example/')).rejects.toMatchObject({ reason: 'busy', retryAfterMs: 600_000 });
  await expect(ask('https://one.example/')).rejects.toMatchObject({ reason: 'busy', retryAfterMs: 600_000 });
  expect(asked).toHaveLength(1);
});

it('tries three times, twice as long apart each time', async () => {
  const { ask, times } = scripted([fails('lost'), fails('lost'), fails('lost')], { paceMs: 1 });
  await expect(ask('https://one.example/')).rejects.toMatchObject({ reason: 'lost' });
  expect(times('one.example')).toEqual([0, 1_000, 3_000]);
});

it('does not ask again where the answer would be the same', async () => {
  const { ask, asked } = scripted([fails('gone')]);
  await expect(ask('https://one.example/')).rejects.toMatchObject({ reason: 'gone' });
  expect(asked).toHaveLength(1);
});

it('asks nobody without TLS, but whom the settings name', async () => {
  const { ask, asked } = scripted([], { isNamed: (origin) => origin === 'http://127.0.0.1:9000' });
  for (const url of ['http://archive.org/', 'ftp://one.example/', 'http://127.0.0.1:9001/', 'file:///etc/passwd']) {
    await expect(ask(url)).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: false });
  }
  await ask('http://127.0.0.1:9000/');
  expect(asked.map(({ host }) => host)).toEqual(['127.0.0.1:9000']);
});

it('tells a host that there is not from a thing that it has not', async () => {
  const missing = (cause?: Error) => () => {
    throw new SourceError('gone', say('hub.later'), { fault: 'missing', cause });
  };
  const { client } = scripted([missing(), missing(new Error('ENOTFOUND'))]);
  const ask = () => client.json(new URL('https://one.example/'), z.unknown(), signal);
  expect(await ask()).toBeUndefined();
  await expect(ask()).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED' });
});
