import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { AS_OWNER, chat, enteredCookie, openServer, raw } from '../../../support/server-harness.ts';
import { closeCode, openPage, refusal, rpcClient, smallContract } from '../../../support/socket-harness.ts';

const TOKEN = 'a token of some length';

async function openContract(options: Parameters<typeof openServer>[0] = {}) {
  const contract = smallContract();
  return { ...contract, ...(await openServer({ contract: contract.router, ...options })) };
}

describe('the contract over a WebSocket', () => {
  it('answers calls, many at a time', async () => {
    const { url } = await openContract();
    const client = rpcClient(await openPage(url));
    const texts = Array.from({ length: 50 }, (_, at) => `text ${at}`);
    expect(await Promise.all(texts.map((text) => client.echo({ text })))).toEqual(texts);
  });

  it('streams, and ends a stream that nobody wants any more', async () => {
    const { url, open } = await openContract();
    const client = rpcClient(await openPage(url));
    for await (const event of await client.watch()) {
      expect([event, open.streams]).toEqual(['first', 1]);
      break;
    }
    await expect.poll(() => open.streams).toBe(0);
  });

  it('tells a wrong input and an unknown procedure, and goes on', async () => {
    const { url } = await openContract();
    const client = rpcClient(await openPage(url));
    await expect(client.echo({ text: 7 as unknown as string })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect((client as unknown as { nothing: () => Promise<void> }).nothing()).rejects.toThrow();
    expect(await client.echo({ text: 'still here' })).toBe('still here');
  });

  it('stays beside the contract over HTTP', async () => {
    const { url } = await openContract();
    const answer = await raw(`${url}/rpc/echo`, { body: { json: { text: 'by HTTP' } }, headers: AS_OWNER });
    expect([answer.status, answer.json]).toEqual([200, { json: 'by HTTP' }]);
  });

  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('is not called by %s over HTTP', async (method) => {
    const { url, calls } = await openContract();
    const text = encodeURIComponent(JSON.stringify({ json: { text: 'x' } }));
    const answer = await raw(`${url}/rpc/echo?data=${text}`, { method, headers: AS_OWNER });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    expect(calls.count).toBe(0);
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded'],
    ['text', 'text/plain'],
    ['text that pretends', 'text/plain; application/json'],
    ['files', 'multipart/form-data; boundary=x'],
    ['another JSON', 'application/jsonp'],
    ['nothing', ''],
  ])('takes JSON only: not %s', async (_, type) => {
    const { url, calls } = await openContract();
    const body = JSON.stringify({ json: { text: 'x' } });
    expect((await raw(`${url}/rpc/echo`, { body, headers: { ...AS_OWNER, 'content-type': type } })).status).toBe(415);
    expect(
      (
        await raw(`${url}/rpc/echo`, {
          method: 'POST',
          headers: { ...AS_OWNER, ...(type && { 'content-type': type }) },
        })
      ).status,
    ).toBe(415);
    expect(calls.count).toBe(0);
  });

  it('takes JSON whose character set is named', async () => {
    const { url } = await openContract();
    const headers = { ...AS_OWNER, 'content-type': 'application/json; charset=utf-8' };
    expect((await raw(`${url}/rpc/echo`, { body: { json: { text: 'x' } }, headers })).status).toBe(200);
  });

  it('says so where somebody asks for it over plain HTTP', async () => {
    const { url } = await openContract();
    const answer = await raw(`${url}/rpc/ws`, { headers: { origin: url, cookie: await enteredCookie(url) } });
    expect([answer.status, answer.headers.upgrade]).toEqual([426, 'websocket']);
  });
});

describe('who may open the contract’s WebSocket', () => {
  it('on loopback: pages of this server whose browser is in, none of other origins, and nothing without an Origin', async () => {
    const { url } = await openContract();
    expect(await refusal(url)).toBe(101);
    expect(await refusal(url, { origin: 'https://evil.example' })).toBe(403);
    expect(await refusal(url, { origin: 'http://127.0.0.1:1' })).toBe(403);
    expect(await refusal(url, { origin: 'null' })).toBe(403);
    expect(await refusal(url, { origin: undefined })).toBe(403);
  });

  it('no page that reached it by a name which was made to point here', async () => {
    const { url } = await openContract();
    const evil = `http://evil.example:${new URL(url).port}`;
    expect(await refusal(url, { origin: evil, headers: { host: new URL(evil).host } })).toBe(403);
  });

  it('with a token: programs that bring it, and nobody without', async () => {
    const { url } = await openContract({ token: TOKEN });
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect(await refusal(url, { headers: {} })).toBe(401);
    expect(await refusal(url, { headers: { authorization: 'Bearer wrong' } })).toBe(401);
    expect(await refusal(url, { headers, origin: undefined })).toBe(101);
    expect(await refusal(url, { headers, origin: 'https://evil.example' })).toBe(403);
  });

  it('nowhere but at its address', async () => {
    const { url } = await openContract();
    for (const path of ['/', '/v1/models', '/session', '/healthz']) expect(await refusal(url, { path })).toBe(400);
    expect(await refusal(url, { path: '/nowhere' })).toBe(400);
  });

  it('no more of them than the limit', async () => {
    const { url } = await openContract({ limits: { sockets: 2 } });
    const [first] = [await openPage(url), await openPage(url)];
    expect(await refusal(url)).toBe(503);
    first.close();
    await closeCode(first);
    await expect.poll(() => refusal(url)).toBe(101);
  });

  it('serves clients that offer HTTP/2 with their request as if they had not', async () => {
    const { url } = await openContract();
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
    const answer = await raw(`${url}/v1/chat/completions`, { body: chat(), headers });
    expect([answer.status, answer.json.choices[0].message.content]).toEqual([200, 'Hello there']);
  });
});

describe('a page that misbehaves', () => {
  it('is cut off for a message that is too long', async () => {
    const { url } = await openContract({ limits: { socketMessageBytes: 1000 } });
    const socket = await openPage(url);
    socket.send('x'.repeat(1001));
    expect(await closeCode(socket)).toBe(1009);
  });

  it('is cut off for a binary message', async () => {
    const { url } = await openContract();
    const socket = await openPage(url);
    socket.send(Buffer.from('{}'));
    expect(await closeCode(socket)).toBe(1003);
  });

  it.each([
    ['no JSON', '{"i":'],
    ['a list', '[1]'],
    ['null', 'null'],
    ['no path', '{"i":"1"}'],
    ['an address elsewhere', '{"i":"1","p":{"u":"https://evil.example/echo"}}'],
    ['an id that is too long', JSON.stringify({ i: 'x'.repeat(65), p: { u: '/echo' } })],
    ['an id that is no text', '{"i":1,"p":{"u":"/echo"}}'],
    ['a form', '{"i":"1","p":{"u":"/echo","h":{"content-type":"multipart/form-data; boundary=x"}}}'],
    ['a file', '{"i":"1","p":{"u":"/echo","h":{"content-disposition":"attachment; filename=x"}}}'],
    ['a stream of inputs', '{"i":"1","t":3,"p":{"e":"message","d":{}}}'],
    ['an unknown kind', '{"i":"1","t":9,"p":{"u":"/echo"}}'],
  ])('is cut off for a message that is no call: %s', async (_, text) => {
    const { url } = await openContract();
    const socket = await openPage(url);
    socket.send(text);
    expect(await closeCode(socket)).toBe(1008);
  });

  it('hurts nobody, whatever it sends', async () => {
    using complaints = vi.spyOn(console, 'error');
    const { url } = await openContract();
    const neighbour = rpcClient(await openPage(url));
    const frame = fc.record(
      {
        i: fc.oneof(fc.string(), fc.integer()),
        t: fc.constantFrom(1, 2, 3, 4, 'x'),
        p: fc.oneof(
          fc.jsonValue(),
          fc.record({
            u: fc.oneof(fc.webPath(), fc.string(), fc.constantFrom('/echo', '/watch', '/__proto__', '/echo/../x')),
            b: fc.jsonValue(),
            m: fc.constantFrom('GET', 'POST', 'x'),
          }),
        ),
      },
      { requiredKeys: [] },
    );
    const messages = fc.array(
      fc.oneof(
        frame.map((each) => JSON.stringify(each)),
        fc.json(),
        fc.string(),
      ),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(messages, async (texts) => {
        const socket = await openPage(url);
        for (const text of texts) socket.send(text);
        socket.close();
        expect([1005, 1006, 1008]).toContain(await closeCode(socket));
      }),
      { numRuns: 60 },
    );
    expect(await neighbour.echo({ text: 'well' })).toBe('well');
    expect(complaints).not.toHaveBeenCalled();
  });

  it('is cut off for too many calls at a time, and they all end', async () => {
    const { url, open } = await openContract({ limits: { socketCalls: 3 } });
    const socket = await openPage(url);
    const client = rpcClient(socket);
    const calls = [1, 2, 3].map(() => client.wait().catch(() => 'ended'));
    await expect.poll(() => open.calls).toBe(3);
    const code = closeCode(socket);
    const more = client.echo({ text: 'one more' }).catch(() => 'refused');
    expect(await code).toBe(1008);
    expect(await more).toBe('refused');
    await Promise.all(calls);
    await expect.poll(() => open.calls).toBe(0);
  });

  it('slows its own stream down when it reads slowly, and is cut off when it reads nothing', async () => {
    const { url, open, flooded } = await openContract({ limits: { pingMs: 400 } });
    const socket = await openPage(url);
    await rpcClient(socket).flood();
    socket.pause();
    await expect.poll(() => open.streams).toBe(0);
    // A connection holds a few megabytes at most in the buffers of both sides.
    expect(flooded.events).toBeLessThan(500);
    socket.terminate();
  });

  it('is cut off when too much waits for it', async () => {
    const { url } = await openContract({ limits: { socketBufferBytes: 1 << 20 } });
    const socket = await openPage(url);
    const client = rpcClient(socket);
    socket.pause();
    const calls = [1, 2].map(() => client.large({ bytes: 24 << 20 }).catch(() => 'cut off'));
    socket.resume();
    expect(await closeCode(socket)).toBe(1006);
    expect(await Promise.all(calls)).toContain('cut off');
  });

  it('is cut off when it gives no sign of life', async () => {
    const { url, open } = await openContract({ limits: { pingMs: 150 } });
    const socket = await openPage(url, { autoPong: false });
    await rpcClient(socket).watch();
    expect(await closeCode(socket)).toBe(1006);
    await expect.poll(() => open.streams).toBe(0);
  });

  it('is not, as long as it answers pings', async () => {
    const { url } = await openContract({ limits: { pingMs: 400 } });
    const socket = await openPage(url);
    for (let pings = 0; pings < 3; pings++) await once(socket, 'ping');
    expect(await rpcClient(socket).echo({ text: 'here' })).toBe('here');
  });

  it('is not for an answer that came while this process stood still', async () => {
    const pingMs = 50;
    const { url } = await openContract({ limits: { pingMs } });
    const socket = await openPage(url);
    const standStill = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * pingMs);
    socket.on('ping', standStill); // it has answered by then
    for (let pings = 0; pings < 3; pings++) await once(socket, 'ping');
    expect(await rpcClient(socket).echo({ text: 'here' })).toBe('here');
  });
});

describe('closing the server', () => {
  it('ends WebSockets with 1001, and every stream and call on them', async () => {
    const { url, server, open } = await openContract();
    const socket = await openPage(url);
    const client = rpcClient(socket);
    const stream = await client.watch();
    await stream.next();
    const call = client.wait().catch(() => 'ended');
    await expect.poll(() => open.calls).toBe(1);
    const code = closeCode(socket);
    await server.close();
    expect(await code).toBe(1001);
    expect(await call).toBe('ended');
    expect(open).toEqual({ streams: 0, calls: 0 });
  });

  it('ends streams that do not look at their signal', async () => {
    const { url, server, open } = await openContract();
    const socket = await openPage(url);
    const stream = await rpcClient(socket).flood();
    await stream.next();
    await server.close();
    await expect.poll(() => open.streams).toBe(0);
  });

  it('does not wait for a page that does not answer', async () => {
    const { url, server, open } = await openContract();
    const socket = await openPage(url);
    await rpcClient(socket).watch();
    socket.pause();
    await server.close();
    expect(open.streams).toBe(0);
  });

  it('leaves no connection behind', async () => {
    const { url, server } = await openContract();
    const socket = await openPage(url);
    const code = closeCode(socket);
    const before = process.getActiveResourcesInfo();
    expect(before).toContain('TCPServerWrap');
    await server.close();
    await code;
    await expect.poll(() => process.getActiveResourcesInfo().filter((kind) => /TCP/.test(kind))).toEqual([]);
  });
});
