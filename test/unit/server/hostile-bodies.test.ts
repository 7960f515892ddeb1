import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { inferenceMessageSchema } from '../../../src-main/mesh/inference/messages.ts';
import { modelsMessageSchema } from '../../../src-main/mesh/sharing/messages.ts';
import { helloSchema } from '../../../src-main/mesh/transport/messages.ts';
import { chatSchema } from '../../../src-main/server/openai/chat.ts';
import { completionSchema } from '../../../src-main/server/openai/completion.ts';
import { embeddingSchema } from '../../../src-main/server/openai/embedding.ts';
import { responseSchema } from '../../../src-main/server/openai/responses/request.ts';
import { askSchema } from '../../../src-preload/contract/inference.ts';
import { samplingSchema } from '../../../src-preload/contract/request.ts';
import { settingsContract } from '../../../src-preload/contract/settings.ts';

const BODY_BYTES = 4 * 1024 * 1024;
const FRAME_BYTES = 1024 * 1024;
/** Elements and values of a body that are looked at; these bodies have millions. */
const MOST_LOOKS = 20_000;
/** Branches of unions and fields of one object may each have their say; elements of a list may not. */
const MOST_ISSUES = 30;

let looks = 0;
/** Counts whoever looks at an element or a value of it. */
const watched = <T extends object>(many: T): T =>
  new Proxy(many, {
    get: (target, key, receiver) => {
      if (typeof key === 'string' && key !== 'length') looks++;
      return Reflect.get(target, key, receiver);
    },
  });
/** A list of one thing again and again, as long as a body may be. */
const many = (each: unknown, bytes = BODY_BYTES): unknown[] =>
  watched(Array(Math.floor(bytes / (JSON.stringify(each).length + 1))).fill(each));
const wide = (keys: number) => watched(Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, 1])));
const part = { type: 'text', text: '' };
const user = (content: unknown) => ({ role: 'user', content });
const schemaFormat = (schema: unknown) => ({ type: 'json_schema', json_schema: { schema } });
const head = { v: 2, from: 'a'.repeat(64), id: 'a'.repeat(32), ts: 1, sig: 'a'.repeat(128) };
const ids = { requestId: 'a'.repeat(32), worker: 'a'.repeat(64) };
const prompt = { ...head, ...ids, type: 'prompt', maxTokens: 1, deadlineMs: 1, input: { prompt: 'Hi' }, params: {} };
const settings = settingsContract.set['~orpc'].inputSchema as z.ZodType;

const elements: unknown[] = [1, {}, [], null, 'a', { role: 'user' }, user(''), user([1]), part];

const bodies: [door: string, schema: z.ZodType, body: object][] = [
  ...elements.flatMap((each): [string, z.ZodType, object][] => [
    [`messages ${JSON.stringify(each)} of a chat`, chatSchema, { model: 'm', messages: many(each) }],
    [`messages ${JSON.stringify(each)} of a screen`, askSchema, { target: 'local', messages: many(each) }],
    [`content ${JSON.stringify(each)} of a chat`, chatSchema, { model: 'm', messages: [user(many(each))] }],
    [`stop ${JSON.stringify(each)}`, chatSchema, { model: 'm', messages: [user('')], stop: many(each) }],
    [`items ${JSON.stringify(each)} of a response`, responseSchema, { model: 'm', input: many(each) }],
    [`content ${JSON.stringify(each)} of a response`, responseSchema, { model: 'm', input: [user(many(each))] }],
    [`prompt ${JSON.stringify(each)}`, completionSchema, { model: 'm', prompt: many(each) }],
    [`input ${JSON.stringify(each)} of embeddings`, embeddingSchema, { model: 'm', input: many(each) }],
    [
      `messages ${JSON.stringify(each)} of a prompt`,
      inferenceMessageSchema,
      { ...prompt, input: { messages: many(each, FRAME_BYTES) } },
    ],
    [
      `models ${JSON.stringify(each)} of a hello`,
      helloSchema,
      { v: 2, type: 'hello', models: many(each, FRAME_BYTES), caps: many(each) },
    ],
    [
      `log-probabilities ${JSON.stringify(each)}`,
      inferenceMessageSchema,
      { v: 2, type: 'chunk', ...ids, seq: 0, text: '', tokens: 0, logprobs: many(each, FRAME_BYTES) },
    ],
    [
      `offers ${JSON.stringify(each)}`,
      modelsMessageSchema,
      { v: 2, type: 'model-offers', offers: many(each, FRAME_BYTES) },
    ],
  ]),
  [
    'messages of 1,000 wrong parts each',
    chatSchema,
    { model: 'm', messages: many(user(many(1, 2_000))).slice(0, 1_000) },
  ],
  ['messages of 1,000 parts each', chatSchema, { model: 'm', messages: many(user(many(part, 26_000))) }],
  [
    'results of 1,000 parts each',
    responseSchema,
    { model: 'm', input: many({ type: 'function_call_output', call_id: 'a', output: many(part, 26_000) }) },
  ],
  ['metadata of a response', responseSchema, { model: 'm', input: 'Hi', metadata: wide(300_000) }],
  ['calls of tools', chatSchema, { model: 'm', messages: [{ role: 'assistant', content: '', tool_calls: many(1) }] }],
  ['changes of settings', settings, { changes: wide(300_000) }],
  ['a wide bias', chatSchema, { model: 'm', messages: [user('')], logit_bias: wide(300_000) }],
  ['a long list for a bias', completionSchema, { model: 'm', prompt: '', logit_bias: many(1) }],
  [
    'a wide schema of a chat',
    chatSchema,
    { model: 'm', messages: [user('')], response_format: schemaFormat(wide(300_000)) },
  ],
  [
    'a long list in a schema',
    chatSchema,
    { model: 'm', messages: [user('')], response_format: schemaFormat({ enum: many(1) }) },
  ],
  ['a wide schema of a prompt', inferenceMessageSchema, { ...prompt, params: { jsonSchema: wide(80_000) } }],
];

/** Branches of unions count too: they are made, whoever reads them. */
function countIssues(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce(
    (sum, issue) =>
      sum + 1 + (issue.code === 'invalid_union' ? issue.errors.reduce((all, each) => all + countIssues(each), 0) : 0),
    0,
  );
}

describe('as large a body as may come', () => {
  it.each(bodies)('is refused for little: %s', (_, schema, body) => {
    looks = 0;
    const { error } = schema.safeParse(body);
    expect(looks).toBeLessThan(MOST_LOOKS);
    expect(error?.message.length).toBeLessThan(10_000);
    expect(countIssues(error?.issues ?? [])).toBeLessThanOrEqual(MOST_ISSUES);
  });
});

describe('a JSON schema', () => {
  const taken = (jsonSchema: unknown) => samplingSchema.safeParse({ jsonSchema }).success;

  it('may have 10,000 keys and entries in all', () => {
    const entries = Array(9_998).fill(1);
    expect(taken({ a: { enum: entries } })).toBe(true);
    expect(taken({ a: { enum: [...entries, 1] } })).toBe(false);
    expect(taken(wide(10_000))).toBe(true);
    expect(taken(wide(10_001))).toBe(false);
  });
});
