import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { z } from 'zod';
import type { App } from '../../src-main/app/app.ts';
import { createApp } from '../../src-main/app/create-app.ts';
import { ifMissing, ignoring } from '../../src-main/base/swallowed.ts';
import { damaged, mutated } from '../../src-main/bench/hostile/mutations.ts';
import { exampleOf, oneOf, type Pick } from '../../src-main/bench/hostile/schema-values.ts';
import type { ProcessSpawner } from '../../src-main/process/process-spawner.ts';
import { HttpServer } from '../../src-main/server/http-server.ts';
import { chatSchema } from '../../src-main/server/openai/chat.ts';
import { completionSchema } from '../../src-main/server/openai/completion.ts';
import { embeddingSchema } from '../../src-main/server/openai/embedding.ts';
import { responseSchema } from '../../src-main/server/openai/responses/request.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { contract } from '../../src-preload/contract/contract.ts';
import { fuzz } from '../support/fuzz/fuzz.ts';
import { testLog } from '../support/mesh-node.ts';
import { ownerOf } from '../support/owner.ts';
import { LOCAL_TOKEN, ScriptedGenerator } from '../support/server-harness.ts';
import { until } from '../support/until.ts';

vi.mock('hyperswarm', async () => ({ default: (await import('../support/memory-swarm.ts')).MemorySwarm }));
vi.mock('hyperdht', async () => ({ default: (await import('../support/memory-swarm.ts')).MemoryDht }));

/** What a client may send, in as many bytes as it likes. */
interface Call {
  path: string;
  body: string;
}

/** Longest that a stream is listened to, in characters: whoever fails does so early. */
const HEARD_CHARS = 8_192;
const PATIENCE_MS = 50;

const words = (length: number) => ['a'.repeat(length)];

function bodyOf(schema: z.core.$ZodType, pick: Pick, wrap: (input: unknown) => unknown = (input) => input): string {
  const honest = exampleOf(schema, pick, words);
  const value = pick(4) === 0 ? honest : mutated(honest, pick);
  const text = JSON.stringify(pick(6) === 5 ? mutated(wrap(value), pick) : wrap(value)) ?? '';
  return pick(6) === 5 ? damaged(Buffer.from(text), pick).toString() : text;
}

/** The answer to a POST: of one that takes long, or a stream that does not end, what came until then. Nothing is 204. */
async function post(url: string, body: string, owner = {}): Promise<{ status: number; text: string }> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), PATIENCE_MS);
  const heard = { status: 204, text: '' };
  try {
    const headers = { ...owner, 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body, signal: ending.signal });
    heard.status = response.status;
    for await (const piece of response.body ?? []) {
      heard.text += Buffer.from(piece).toString();
      if (heard.text.length > HEARD_CHARS) break;
    }
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  }
  clearTimeout(timer);
  ending.abort();
  return heard;
}

/** What comes back on a connection to a port, as far as it comes soon. */
async function answerTo(bytes: Buffer, port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  const pieces: Buffer[] = [];
  const ended = new Promise((resolve) => socket.once('close', resolve).once('data', () => setImmediate(resolve)));
  socket.on('data', (piece) => pieces.push(piece)).on('error', ignoring('the server ends what it does not like'));
  socket.write(bytes);
  await Promise.race([ended, sleep(PATIENCE_MS)]);
  socket.destroy();
  return Buffer.concat(pieces).toString('latin1');
}

/** Its children are gone at once: what they find out about the machine is not asked here. */
const childless: ProcessSpawner = {
  spawn(_launch, { onExit }) {
    queueMicrotask(() => onExit({ code: 1, signal: null }));
    return { pid: 1, send: (_message, onTaken) => onTaken?.(), kill: () => {} };
  },
};

describe('the contract', () => {
  let app: App;
  let dataDir: string;
  let owner: Awaited<ReturnType<typeof ownerOf>>;
  let socket: WebSocket | undefined;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'quarry-doors-'));
    await writeFile(join(dataDir, 'quarry.toml'), 'port = 0\nlogLevel = "error"\nbootstrap = ["127.0.0.1:9"]\n');
    const config = loadConfig({ env: {}, flags: { dataDir } });
    app = await createApp(config, { server: true, mesh: true, worker: true }, { ports: { spawner: childless } });
    owner = await ownerOf(dataDir);
  });
  afterAll(async () => {
    socket?.terminate();
    await app[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  type Procedure = { '~orpc': { inputSchema?: z.core.$ZodType } };
  const procedures = Object.entries(contract).flatMap(([domain, verbs]) =>
    Object.entries(verbs as Record<string, Procedure>).map(
      ([
        verb,
        {
          '~orpc': { inputSchema },
        },
      ]) => ({
        path: `/${domain}/${verb}`,
        schema: inputSchema,
      }),
    ),
  );
  /** What a call of these does is the machine's business, takes the node away, or wants a child: without an input there is little to lie about. */
  const leftOut = ['/models/move', '/backup/create', '/backup/open'];
  const withInput = procedures.flatMap(({ path, schema }) =>
    schema && !leftOut.includes(path) ? [{ path, schema }] : [],
  );

  const outcomes = { 'http taken': 0, 'http refused': 0, 'socket answered': 0, 'socket closed': 0 };

  const call = (pick: Pick): Call => {
    const { path, schema } = oneOf(withInput, pick);
    return { path, body: bodyOf(schema, pick, (json) => ({ json })) };
  };

  fuzz('answers over HTTP, or refuses with a name', { inputs: 60, msEach: 500 }, call, async ({ path, body }) => {
    const { status, text } = await post(`${app.server?.url}/rpc${path}`, body, owner);
    outcomes[status < 400 ? 'http taken' : 'http refused']++;
    expect(
      { status, internal: text.includes('INTERNAL') },
      `${path} ${body.slice(0, 500)} → ${text.slice(0, 500)}`,
    ).toEqual({
      status: expect.toSatisfy((code: number) => code >= 200 && code < 500 && code !== 401),
      internal: false,
    });
  });

  const frame = (pick: Pick): Call => {
    const { path, schema } = oneOf(withInput, pick);
    const wrap = (json: unknown) => ({ i: '1', p: { u: path, b: { json } } });
    return { path, body: bodyOf(schema, pick, wrap) };
  };

  async function open(): Promise<WebSocket> {
    if (socket?.readyState === WebSocket.OPEN) return socket;
    const url = app.server?.url ?? '';
    socket = new WebSocket(`${url.replace(/^http/, 'ws')}/rpc/ws`, { origin: url, headers: owner });
    await once(socket, 'open');
    return socket;
  }

  fuzz('answers over its socket, or closes it', { inputs: 60, msEach: 500 }, frame, async ({ path, body }) => {
    const page = await open();
    const heard: string[] = [];
    const answered = new Promise<void>((resolve) => {
      page.on('message', (data) => resolve(void heard.push(data.toString())));
      page.once('close', (code) => resolve(void heard.push(`closed with ${code}`)));
    });
    page.send(body);
    page.send(JSON.stringify({ i: 'probe', p: { u: '/credits/kinds', b: {} } })); // answered after it, whatever came of it
    await answered;
    page.removeAllListeners('message').removeAllListeners('close');
    if (page.readyState === WebSocket.OPEN) page.send(JSON.stringify({ i: '1', t: 4 }));
    const text = heard.join();
    outcomes[text.startsWith('closed') ? 'socket closed' : 'socket answered']++;
    expect(/INTERNAL|"s":5\d\d/.test(text), `${path} ${body.slice(0, 500)} → ${text.slice(0, 500)}`).toBe(false);
  });

  it('has met what it takes and what it does not', () =>
    expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(0));

  const PATHS = [
    '/',
    '/rpc/node/status',
    '/rpc/',
    '/rpc/ws',
    '/session',
    '/v1/models',
    '/v1/models/a%2Fb',
    '/healthz',
    '/metrics',
    '/%zz',
    '/..%2f..',
    '/__proto__',
    '//',
    '*',
    '/assets/x.js',
    '/open?token=',
    '/\u00e9',
  ];
  const METHODS = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'CONNECT', 'TRACE', 'X'];
  const HEADERS = [
    'Host: 127.0.0.1',
    'Host: evil.example',
    'Origin: null',
    'Origin: http://[',
    'Cookie: a=%; =;;',
    'Cookie: quarry=x',
    'Authorization: Bearer ',
    'Authorization: Basic !',
    'Content-Type: application/json',
    'Content-Type: text/plain;charset="',
    'Content-Length: 2',
    'Content-Length: -1',
    'Transfer-Encoding: chunked',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: x',
    'Sec-WebSocket-Version: 13',
    'Sec-Fetch-Site: cross-site',
    'Accept-Language: ;q=',
    'X-Forwarded-For: 1,2,,',
    `X: ${'x'.repeat(20_000)}`,
  ];

  /** A request as bytes, of things that requests have. */
  const request = (pick: Pick): Buffer => {
    const headers = Array.from({ length: 1 + pick(5) }, () => oneOf(HEADERS, pick));
    const bytes = Buffer.from(
      `${oneOf(METHODS, pick)} ${oneOf(PATHS, pick)} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n{}`,
    );
    return pick(3) === 2 ? damaged(bytes, pick) : bytes;
  };

  fuzz('answers whatever is no call, or ends the connection', { inputs: 60, msEach: 300 }, request, async (bytes) => {
    const text = await answerTo(bytes, Number(new URL(app.server?.url ?? '').port));
    expect(/^HTTP\/1\.1 5\d\d/m.test(text), `${bytes.toString('latin1', 0, 500)} → ${text.slice(0, 500)}`).toBe(false);
  });

  it('is whole after all of that', async () => {
    const status = () => post(`${app.server?.url}/rpc/node/status`, '{}', owner);
    await until(async () => expect((await status()).text).toContain(app.identity.id));
    const log = await readFile(join(dataDir, 'quarry.log'), 'utf8').catch(ifMissing);
    expect(log ?? '').not.toContain('a call of the contract failed');
  });
});

describe('the OpenAI API', () => {
  let server: HttpServer;
  const SCHEMAS = {
    'chat/completions': chatSchema,
    completions: completionSchema,
    embeddings: embeddingSchema,
    responses: responseSchema,
  };

  beforeAll(async () => {
    const generator = new ScriptedGenerator();
    const models = () => [{ name: 'tiny', kind: 'local' as const, contextSize: 4_096 }];
    const route = () => generator;
    server = new HttpServer({
      port: 0,
      localToken: LOCAL_TOKEN,
      log: testLog,
      models,
      route,
      health: () => ({ ok: true }),
    });
    await server.open();
  });
  afterAll(() => server.close());

  const call = (pick: Pick): Call => {
    const path = oneOf(Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[], pick);
    return { path, body: bodyOf(SCHEMAS[path], pick) };
  };

  fuzz('answers, or refuses with 4xx', { inputs: 100, msEach: 500 }, call, async ({ path, body }) => {
    const { status, text } = await post(`${server.url}/v1/${path}`, body);
    expect(status < 500, `${path} ${body.slice(0, 500)} → ${status} ${text.slice(0, 500)}`).toBe(true);
    if (status >= 400 && text.length > 0) expect(JSON.parse(text).error.message).toEqual(expect.any(String));
  });
});
