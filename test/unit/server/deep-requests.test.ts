import { describe, expect, it } from 'vitest';
import { checkGenerate } from '../../../src-main/inference/request-schema.ts';
import { MAX_INFERENCE_FRAME } from '../../../src-main/mesh/inference/messages.ts';
import { FrameDecoder } from '../../../src-main/mesh/transport/wire.ts';
import { isRpcFrame } from '../../../src-main/server/rpc/rpc-frame.ts';
import { conversationsContract } from '../../../src-preload/contract/conversations.ts';
import { inferenceContract } from '../../../src-preload/contract/inference.ts';
import { MAX_SCHEMA_LEVELS } from '../../../src-preload/contract/limits.ts';
import { AS_OWNER, openServer, raw } from '../../support/server-harness.ts';
import { closeCode, openPage, rpcClient, smallContract } from '../../support/socket-harness.ts';

/** `{"a":{"a":…1}}`, as text: what once waited for an engine, and ended the node when it was sent to the next one. */
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const DEEP = nested(7_000);
const question = '"model":"tiny","messages":[{"role":"user","content":"Hi"}],"prompt":"Hi","input":"Hi"';

describe('7,000 levels within one another', () => {
  it.each([
    ['a schema of a chat', 'chat/completions', (deep: string) => schemaOf(deep)],
    ['a schema of a completion', 'completions', (deep: string) => schemaOf(deep)],
    ['a field that nobody knows', 'chat/completions', (deep: string) => `"metadata":${deep}`],
    ['a field of embeddings', 'embeddings', (deep: string) => `"user":${deep}`],
  ])('are refused by the OpenAI API before anything is asked: %s', async (_, path, field) => {
    const { url, generator } = await openServer();
    const answer = await raw(`${url}/v1/${path}`, { body: `{${question},${field(DEEP)}}` });
    expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid_json']);
    expect(generator.asked).toEqual([]);
  });

  it('are refused by the contract over HTTP, with others served as before', async () => {
    const { router, calls } = smallContract();
    const { url } = await openServer({ contract: router });
    const call = (more: string) =>
      raw(`${url}/rpc/echo`, { body: `{"json":{"text":"Hi","more":${more}}}`, headers: AS_OWNER });
    expect((await call(DEEP)).status).toBe(400);
    expect([(await call(nested(30))).status, calls.count]).toEqual([200, 1]);
  });

  it('end the WebSocket that they came by, and no other', async () => {
    const { url } = await openServer({ contract: smallContract().router });
    const [mine, other] = [await openPage(url), await openPage(url)];
    mine.send(`{"i":"1","p":{"u":"/echo","b":{"json":{"text":"Hi","more":${DEEP}}}}}`);
    expect(await closeCode(mine)).toBe(1008);
    expect(await rpcClient(other).echo({ text: 'still here' })).toBe('still here');
  });

  it.each([
    ['questions of the contract', inferenceContract.ask],
    ['turns of a conversation', conversationsContract.ask],
  ])('get no further than the schema of %s', (_, { '~orpc': procedure }) => {
    const asked = { id: 1, text: 'Hi', target: 'local', messages: [{ role: 'user', content: 'Hi' }] };
    const { data } = procedure.inputSchema?.safeParse({ ...asked, jsonSchema: JSON.parse(DEEP) }) ?? {};
    expect(data ?? {}).not.toHaveProperty('jsonSchema');
  });

  it('are no frame of the mesh', () => {
    const body = Buffer.from(`{"v":2,"type":"prompt","params":{"jsonSchema":${DEEP}}}`);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length);
    const decoder = new FrameDecoder(MAX_INFERENCE_FRAME);
    expect(() => [...decoder.push(Buffer.concat([head, body]))]).toThrow(/deeper than 32/);
  });

  it('are no request for any backend, whatever door they came by', () => {
    const request = { input: { prompt: 'Hi' }, jsonSchema: JSON.parse(DEEP) };
    expect(() => checkGenerate(request)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', field: 'jsonSchema' }));
  });
});

describe('the deepest schema that may be', () => {
  it('is taken by every door', async () => {
    const schema = nested(MAX_SCHEMA_LEVELS);
    const { url, generator } = await openServer();
    expect((await raw(`${url}/v1/chat/completions`, { body: `{${question},${schemaOf(schema)}}` })).status).toBe(200);
    expect(generator.asked[0]?.jsonSchema).toEqual(JSON.parse(schema));
    expect(isRpcFrame(`{"i":"1","p":{"u":"/inference/ask","b":{"json":{"jsonSchema":${schema}}}}}`)).toBe(true);
  });
});

function schemaOf(schema: string): string {
  return `"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":${schema}}}`;
}
