import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../src-main/client/client.ts';
import { openLink } from '../../../src-main/client/node-link.ts';
import { until } from '../../support/until.ts';

const BLOCK = Buffer.alloc(2 ** 20, 'x');
const ID = 'ab'.repeat(32);
const JSON_KIND = { 'content-type': 'application/json' };
const STREAM_KIND = { 'content-type': 'text/event-stream' };

/** A server that somebody hostile runs. `gone` counts answers whose reader has left before their end. */
async function hostile(answer: RequestListener) {
  const seen = { gone: 0 };
  const server = createServer((request, response) => {
    response.once('close', () => void (response.writableFinished || seen.gone++));
    answer(request, response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** Writes on and on, as fast as it is read or a piece at a time. */
function flood(response: ServerResponse, pieces: string | Buffer, everyMs = 0): void {
  const write = () => {
    if (response.destroyed) return;
    if (everyMs > 0) response.write(pieces, () => setTimeout(write, everyMs));
    else if (response.write(pieces)) setImmediate(write);
    else response.once('drain', write);
  };
  write();
}

async function linked(url: string) {
  const link = await openLink({ url });
  onTestFinished(() => link[Symbol.asyncDispose]());
  return link.node;
}

describe('an answer without an end', () => {
  it('is given up when the time is over, however slowly it comes', async () => {
    const { url, seen } = await hostile((_request, response) => {
      response.writeHead(200, JSON_KIND).write('{"json":"');
      flood(response, BLOCK.subarray(0, 65_536), 5);
    });
    await expect(connect({ url, timeoutMs: 700 })).rejects.toMatchObject({ code: 'DEADLINE' });
    await until(() => expect(seen.gone).toBe(1));
  });

  it('is given up when its call or the link is, also as a stream of which nothing is read', async () => {
    const { url, seen } = await hostile((_request, response) => {
      response.writeHead(200, STREAM_KIND);
      flood(response, 'event: message\ndata: {"json":1}\n\n', 1);
    });
    const giveUp = new AbortController();
    const node = await linked(url);
    const events = await node.node.watch(undefined, { signal: giveUp.signal });
    await events.next();
    giveUp.abort();
    await until(() => expect(seen.gone).toBe(1));
    const link = await openLink({ url });
    await link.node.node.watch();
    await link[Symbol.asyncDispose]();
    await until(() => expect(seen.gone).toBe(2));
  });

  it('is read no further than 64 MB, and whose fault it is is said', async () => {
    const { url, seen } = await hostile((_request, response) => {
      response.writeHead(200, JSON_KIND).write('{"json":"');
      flood(response, BLOCK);
    });
    const node = await linked(url);
    const message = expect.stringMatching(/^The node sent more than 64 MB in one answer/);
    await expect(node.node.status()).rejects.toMatchObject({ name: 'QuarryError', code: 'PROTOCOL', message });
    await until(() => expect(seen.gone).toBe(1));
  });

  it('is read no further than 64 MB where it tells of a failure', async () => {
    const { url } = await hostile((_request, response) => {
      response.writeHead(500, JSON_KIND).write('{"json":"');
      flood(response, BLOCK);
    });
    await expect((await linked(url)).node.status()).rejects.toMatchObject({ code: 'PROTOCOL' });
  });

  it('is read no further than 16 MB in one event, however many there are', async () => {
    const { url, seen } = await hostile((_request, response) => {
      response.writeHead(200, STREAM_KIND);
      for (let at = 0; at < 20; at++) response.write(`event: message\ndata: {"json":"${BLOCK}"}\n\n`);
      response.write('event: message\ndata: {"json":"');
      flood(response, BLOCK);
    });
    const events = await (await linked(url)).node.watch();
    for (let at = 0; at < 20; at++) expect(String((await events.next()).value)).toHaveLength(BLOCK.length);
    const message = expect.stringMatching(/^The node sent more than 16 MB in one event/);
    await expect(events.next()).rejects.toMatchObject({ code: 'PROTOCOL', message });
    await until(() => expect(seen.gone).toBe(1));
  });
});

describe('connect() takes nothing but a node for one', () => {
  const answers = (body: string, head: object = JSON_KIND, status = 200): RequestListener => {
    return (_request, response) => void response.writeHead(status, { ...head }).end(body);
  };
  it.each<[string, RequestListener]>([
    ['a page', answers('<html>Hello.</html>', { 'content-type': 'text/html' })],
    ['a page that says that it is JSON', answers('<html>Hello.</html>')],
    ['a download', answers('x', { 'content-type': 'application/octet-stream' })],
    ['something of no kind', answers('{}', {})],
    ['an empty object', answers('{}')],
    ['an empty answer', answers('{"json":{}}')],
    ['null', answers('{"json":null}')],
    ['another service', answers('{"json":{"id":"x","version":1,"role":"miner"}}')],
    ['a node of a role that there is not', answers(`{"json":{"id":"${ID}","version":"0.1.0","role":"king"}}`)],
    ['brackets', answers('['.repeat(200_000) + ']'.repeat(200_000))],
    ['brackets in an answer', answers(`{"json":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)],
    ['a stream', answers('event: message\ndata: {"json":1}\n\n', STREAM_KIND)],
    ['one that sends elsewhere', answers('', { location: 'http://example.com/' }, 302)],
    ['one that sends elsewhere for now', answers('{}', { ...JSON_KIND, location: '/rpc/node/status' }, 307)],
    ['one whose errors are not ours', answers(error('NOT_A_CODE', ''), JSON_KIND, 500)],
  ])('%s', async (_, answer) => {
    const { url } = await hostile(answer);
    const message = expect.stringMatching(/\S/);
    await expect(connect({ url })).rejects.toMatchObject({ name: 'QuarryError', code: 'UNSUPPORTED', message });
  });

  it('a node is one, whatever else it says', async () => {
    const status = { id: ID, version: '9.9.9', role: 'miner', somethingNew: [1] };
    const { url } = await hostile(answers(JSON.stringify({ json: status })));
    await using quarry = await connect({ url });
    expect(quarry.url).toBe(url);
    await expect(quarry.models()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});

function error(code: string, message: string): string {
  const data = { code, message };
  return JSON.stringify({ json: { defined: false, code: 'QUARRY', status: 500, message: 'x', data } });
}
