import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ignoring } from '../../../src-main/base/swallowed.ts';
import type { AnswerEvent } from '../../../src-main/inference/backend.ts';
import { AS_OWNER, chat, done, endless, enteredCookie, openServer, raw, says } from '../../support/server-harness.ts';
import { openPage, rpcClient, smallContract } from '../../support/socket-harness.ts';

/** Sends a chat request over a bare socket. */
async function rawSocket(url: string, body: object) {
  const { port, host } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  const text = JSON.stringify(body);
  const head = ['POST /v1/chat/completions HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json'];
  socket.write(`${[...head, `Content-Length: ${Buffer.byteLength(text)}`].join('\r\n')}\r\n\r\n${text}`);
  return socket;
}

describe('a client that goes away', () => {
  it.each([true, false])('ends its request in the engine (stream: %s)', async (stream) => {
    const { url, generator } = await openServer();
    const { script, aborted } = endless();
    const asked = Promise.withResolvers<void>();
    generator.script = (...call) => {
      asked.resolve();
      return script(...call);
    };
    const socket = await rawSocket(url, chat(undefined, { stream }));
    await asked.promise;
    if (stream) await once(socket, 'data');
    socket.destroy();
    await aborted;
  });

  it('ends it through the official client, too', async () => {
    const { client, generator } = await openServer();
    const { script, aborted } = endless();
    generator.script = script;
    const stream = await client.chat.completions.create({
      model: 'tiny',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    });
    for await (const _ of stream) break;
    await aborted;
  });
});

describe('a client that reads slowly', () => {
  /** Chunks of 64 KiB without end; counts those that were taken, and tells when nobody wants more. */
  function flood() {
    const count = { taken: 0 };
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    const script = async function* (): AsyncGenerator<AnswerEvent> {
      try {
        for (;;) {
          count.taken++;
          yield { type: 'chunk', text: 'x'.repeat(65_536), tokens: 1 };
        }
      } finally {
        resolve();
      }
    };
    return { count, script, stopped };
  }

  it('slows its own answer down, and is cut off when it reads nothing', async () => {
    const { url, generator } = await openServer({ limits: { stallMs: 1_000 } });
    const { count, script, stopped } = flood();
    generator.script = script;
    const socket = await rawSocket(url, chat(undefined, { stream: true }));
    await stopped;
    // A connection holds a few megabytes at most in the buffers of both sides.
    expect(count.taken).toBeLessThan(500);
    socket.destroy();
  });
});

describe('a stream that is silent', () => {
  it('gets comments, so that nobody thinks it dead', async () => {
    const { url, generator } = await openServer({ limits: { keepAliveMs: 20 } });
    const commented = Promise.withResolvers<void>();
    generator.script = async function* () {
      await commented.promise;
      yield* says('late');
    };
    const socket = await rawSocket(url, chat(undefined, { stream: true }));
    const answer = socket.setEncoding('utf8')[Symbol.asyncIterator]();
    let text = '';
    while (!text.includes('keep-alive')) text += (await answer.next()).value;
    expect(text).toMatch(/\r\n\r\n(?:\w+\r\n)?: keep-alive\n\n/);
    commented.resolve();
    while (!text.includes('late')) text += (await answer.next()).value;
    socket.destroy();
  });

  it('gets none while it talks', async () => {
    const keepAliveMs = 500;
    const { url, generator } = await openServer({ limits: { keepAliveMs } });
    let silences = 0; // of a busy machine
    let since = performance.now();
    const look = () => {
      if (performance.now() - since > keepAliveMs / 2) silences++;
      since = performance.now();
    };
    generator.script = async function* () {
      for (let each = 0; each < 10; each++) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        look();
        yield { type: 'chunk', text: 'a', tokens: 1 };
      }
      yield done();
    };
    const { text } = await raw(`${url}/v1/chat/completions`, { body: chat(undefined, { stream: true }) });
    look();
    expect(text.split('keep-alive').length - 1).toBeLessThanOrEqual(silences);
  });
});

describe('when all connections are taken', () => {
  it('nobody takes that of a program with the token, and anybody that of one without', async () => {
    const { url } = await openServer({ token: 'a token of some length', limits: { connections: 1 } });
    const dial = () =>
      connect(Number(new URL(url).port), '127.0.0.1').on('error', ignoring('that it is cut off is what is wanted'));
    const ask = (token: string) =>
      `GET /v1/models HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const stranger = dial();
    stranger.write(ask('another token'));
    await once(stranger, 'data');
    const owner = dial();
    const gone = once(stranger, 'close');
    owner.write(ask('a token of some length'));
    await Promise.all([gone, once(owner, 'data')]);
    await once(dial(), 'close');
    owner.write(ask('a token of some length'));
    await once(owner, 'data');
    owner.destroy();
  });
});

describe('another account of this computer that holds as many connections as it can, without a token,', () => {
  it.each(['/v1/models', '/nowhere', '/healthz'])(
    'asking for %s, locks neither programs of the owner nor pages out',
    async (path) => {
      const { url } = await openServer({ contract: smallContract().router, limits: { connections: 8 } });
      const cookie = await enteredCookie(url);
      const page = await openPage(url, { headers: { cookie } });
      const { port } = new URL(url);
      const held = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const socket = connect(Number(port), '127.0.0.1').on(
            'error',
            ignoring('that it is cut off is what is wanted'),
          );
          socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
          await Promise.race([once(socket, 'data'), once(socket, 'close')]);
          return socket;
        }),
      );
      expect((await raw(`${url}/v1/models`, { headers: AS_OWNER })).status).toBe(200);
      expect((await raw(`${url}/healthz`)).status).toBe(200);
      expect(await rpcClient(await openPage(url, { headers: { cookie } })).echo({ text: 'new' })).toBe('new');
      expect(await rpcClient(page).echo({ text: 'still there' })).toBe('still there');
      for (const each of held) each.destroy();
    },
  );
});

describe('opening and closing the server', () => {
  it.each([true, false])('ends answers in flight when it closes (stream: %s)', async (stream) => {
    const { url, generator, server } = await openServer();
    const { script, aborted } = endless();
    generator.script = script;
    const answering = fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(chat(undefined, { stream })),
    });
    await (stream ? answering : expect.poll(() => generator.asked.length).toBe(1));
    await server.close();
    await aborted; // by itself the answer would never end
    const response = await answering;
    const text = await response.text();
    expect(response.status).toBe(stream ? 200 : 503);
    expect(text).toContain('not_running');
  });

  it('closes although a client reads nothing', async () => {
    const { url, generator, server } = await openServer();
    generator.script = async function* (_, signal) {
      while (!signal?.aborted) yield { type: 'chunk', text: 'x'.repeat(65_536), tokens: 1 };
    };
    const socket = await rawSocket(url, chat(undefined, { stream: true }));
    socket.pause();
    await once(socket, 'readable');
    await server.close();
    socket.destroy();
  });

  it('can be opened and closed twice, and closed unopened', async () => {
    const { server } = await openServer();
    await server.open();
    await Promise.all([server.close(), server.close()]);
    await server.close();
  });

  it('says that its port is in use', async () => {
    const { url } = await openServer();
    const port = Number(new URL(url).port);
    await expect(openServer({ port })).rejects.toMatchObject({ code: 'PORT_IN_USE', field: 'port' });
  });

  it('says that it cannot listen on an address that is not ours', async () => {
    await expect(openServer({ host: '203.0.113.7', token: 't' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('cuts off a request that never arrives whole', async () => {
    const { url } = await openServer({ limits: { requestTimeoutMs: 100 } });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      'POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    socket.resume();
    await once(socket, 'close');
  });
});
