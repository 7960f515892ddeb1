import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { hostMessageSchema } from '../../../../src-main/inference/engine-protocol.ts';
import { checkGenerate, LOGIT_SHIFTS } from '../../../../src-main/inference/request-schema.ts';
import { carried } from '../../../../src-main/mesh/inference/carried.ts';
import {
  MAX_INFERENCE_FRAME,
  MAX_MS,
  type Prompt,
  promptSchema,
} from '../../../../src-main/mesh/inference/messages.ts';
import { signEvidence } from '../../../../src-main/mesh/transport/envelope.ts';
import { identityFromSeed } from '../../../../src-main/mesh/transport/identity.ts';
import { encodeFrame, FrameDecoder } from '../../../../src-main/mesh/transport/wire.ts';
import { chatRequest, chatSchema } from '../../../../src-main/server/openai/chat.ts';
import { completionRequest, completionSchema } from '../../../../src-main/server/openai/completion.ts';
import { messagesOf, type SaidItem } from '../../../../src-main/server/openai/responses/items.ts';
import { responseRequest, responseSchema } from '../../../../src-main/server/openai/responses/request.ts';
import type { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { askSchema } from '../../../../src-preload/contract/inference.ts';
import * as limits from '../../../../src-preload/contract/limits.ts';
import { fitsAll, type GenerateRequest } from '../../../../src-preload/contract/request.ts';

const client = identityFromSeed(Buffer.alloc(32, 1));
const worker = identityFromSeed(Buffer.alloc(32, 2));

/** Sends a request as the mesh's client does, through a whole frame, and reads it as a worker does. */
function overTheWire(request: GenerateRequest, model: string | undefined): Prompt {
  const { input, maxTokens = 512, ...params } = carried(request);
  const body = {
    type: 'prompt',
    requestId: 'ab'.repeat(16),
    worker: worker.id,
    model,
    input,
    params,
    maxTokens,
  } as const;
  const prompt = promptSchema.parse(signEvidence<Prompt>({ ...body, deadlineMs: MAX_MS }, client, Date.now()));
  const [frame] = new FrameDecoder(MAX_INFERENCE_FRAME).push(encodeFrame(prompt, MAX_INFERENCE_FRAME));
  return promptSchema.parse(frame?.value);
}

/** What a test sends as a chat. */
interface ChatBody {
  messages: object[];
  max_tokens?: number;
  response_format?: { json_schema: { schema: unknown } };
  tools?: { type: string; function: object }[];
  tool_choice?: string | { function: object };
}

/** What a door lets in, every other has to take as well, but for the fields that the wire's version has not. */
function expectTaken(request: GenerateRequest, model?: string): void {
  const shift = LOGIT_SHIFTS.find((field) => request[field] !== undefined);
  if (shift) {
    const refused = expect.objectContaining({ code: 'BAD_REQUEST', field: shift });
    expect(() => overTheWire(request, model)).toThrow(refused);
  } else {
    const { input, params } = overTheWire(request, model);
    const { maxTokens: _, input: __, ...sampling } = JSON.parse(JSON.stringify(request));
    expect([input, params]).toEqual([request.input, sampling]);
  }
  expect(checkGenerate(request)).toEqual(request);
  hostMessageSchema.parse(JSON.parse(JSON.stringify({ type: 'generate', id: 0, request })));
}

/** The request that a body of one endpoint makes; undefined when the door refuses it. */
function taken<Schema extends z.ZodType>(
  schema: Schema,
  body: object,
  requestOf: (read: z.output<Schema>) => GenerateRequest,
): GenerateRequest | undefined {
  const { data } = schema.safeParse(body);
  if (!data) return undefined;
  try {
    return requestOf(data);
  } catch (error) {
    // Too large as a whole, or a tool that has to be called and is not offered.
    expect(['CONTEXT_TOO_LONG', 'BAD_REQUEST']).toContain((error as QuarryError).code);
    return undefined;
  }
}

const asChat = (body: object) => taken(chatSchema, body, chatRequest);
const asCompletion = (body: object) => taken(completionSchema, body, completionRequest);
const asResponse = (body: object) =>
  taken(responseSchema, body, (read) => responseRequest(read, messagesOf(read.input as SaidItem[], read.instructions)));

/** The body of a chat as `/v1/responses` writes it. */
function responseBody({ messages, max_tokens, response_format, tools, tool_choice, ...same }: ChatBody): object {
  const { json_schema } = response_format ?? {};
  const format = json_schema && { type: 'json_schema', name: 'x', schema: json_schema.schema };
  return {
    ...{ ...same, input: messages, max_output_tokens: max_tokens, ...(format && { text: { format } }) },
    tools: tools?.map(({ type, function: described }) => ({ type, ...described })),
    tool_choice: typeof tool_choice === 'object' ? { type: 'function', ...tool_choice.function } : tool_choice,
  };
}

const repeated = (max: number) =>
  fc
    .tuple(
      fc.constantFrom('a', 'é', '世', '\0', '"', '\ud800', '😀'),
      fc.oneof(fc.nat(5), fc.integer({ min: max - 3, max: max + 3 })),
    )
    .map(([text, length]) => text.repeat(length).slice(0, length));
const near = (max: number) =>
  fc.oneof(fc.integer({ min: max - 2, max: max + 2 }), fc.integer({ min: -1, max: 3 }), fc.double());
const text = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.constantFrom(170_000, 350_000, 1_044_400, 1_048_577).chain(repeated) },
);
const message = fc.record({ role: fc.constantFrom('system', 'user', 'assistant', 'developer'), content: text });
const messages = fc.oneof(
  { weight: 5, arbitrary: fc.array(message, { maxLength: 4 }) },
  {
    weight: 1,
    arbitrary: fc
      .oneof(fc.nat(3), fc.integer({ min: limits.MAX_MESSAGES - 2, max: limits.MAX_MESSAGES + 2 }))
      .map((length) => Array.from({ length }, () => ({ role: 'user', content: 'Hi' }))),
  },
);
const nested = fc
  .tuple(
    fc.oneof(fc.nat(3), fc.integer({ min: 28, max: 33 })),
    fc.constantFrom<unknown>(1, 'a', null, Number.POSITIVE_INFINITY, {}),
  )
  .map(([levels, core]) => Array.from({ length: levels }).reduce((inner) => ({ items: inner }), core));
const tool = fc
  .record(
    {
      name: fc.stringMatching(/^[a-zA-Z0-9_-]{1,65}$/),
      description: repeated(limits.MAX_TOOL_TEXT_CHARS),
      parameters: fc.oneof(nested, fc.constant({ type: 'object', properties: {} })),
    },
    { requiredKeys: ['name'] },
  )
  .map((described) => ({ type: 'function', function: described }));
const sampling = {
  temperature: near(limits.MAX_ASKED_TEMPERATURE),
  top_p: near(1),
  top_k: near(limits.MAX_TOP_K),
  repeat_penalty: near(limits.MAX_REPEAT_PENALTY),
  seed: fc.maxSafeInteger(),
  stop: fc.array(repeated(limits.MAX_STOP_CHARS), { maxLength: limits.MAX_STOPS + 1 }),
  max_tokens: near(limits.MAX_ANSWER_TOKENS),
  response_format: fc
    .oneof(nested, fc.dictionary(fc.string(), fc.jsonValue()))
    .map((schema) => ({ type: 'json_schema', json_schema: { schema } })),
};
const calling = {
  tools: fc.oneof(
    fc.uniqueArray(tool, { minLength: 1, maxLength: 2, selector: (each) => each.function.name }),
    fc
      .integer({ min: limits.MAX_TOOLS - 1, max: limits.MAX_TOOLS + 1 })
      .map((length) => Array.from({ length }, (_, at) => ({ type: 'function', function: { name: `t${at}` } }))),
  ),
  tool_choice: fc.constantFrom('auto', 'none', 'required', { type: 'function', function: { name: 't0' } }),
};
const penalty = fc.oneof(near(limits.MAX_SAID_PENALTY), fc.double({ min: -2, max: 2, noNaN: true }));
const shifting = {
  logit_bias: fc.oneof(
    fc.dictionary(fc.stringMatching(/^[0-9]{1,8}$/), near(limits.MAX_LOGIT_BIAS), { maxKeys: 3 }),
    fc
      .integer({ min: limits.MAX_BIASED_TOKENS - 1, max: limits.MAX_BIASED_TOKENS + 1 })
      .map((length) => Object.fromEntries(Array.from({ length }, (_, token) => [token, 1]))),
  ),
  frequency_penalty: penalty,
  presence_penalty: penalty,
};
/** One or two fields near their limits: with all of them, hardly a body would be taken. */
const few = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(fields, { requiredKeys: [] }).chain((all) => {
    const entries = Object.entries(all);
    return fc.subarray(entries, { maxLength: Math.min(2, entries.length) }).map(Object.fromEntries);
  });
const some = fc.oneof(few(sampling), fc.record(calling, { requiredKeys: ['tools'] }), few(shifting));
const body = fc
  .tuple(
    fc.oneof(
      messages.map((each) => ({ messages: each })),
      text.map((prompt) => ({ prompt })),
    ),
    some,
    repeated(limits.MAX_MODEL_NAME_CHARS),
  )
  .map(([input, fields, model]) => ({ model: model || 'tiny', ...input, ...fields }));

describe('one request, whatever its door', () => {
  it('is taken by the wire and the engine if the API takes it, and by each of its endpoints alike', () => {
    const seen = { chats: 0, completions: 0, tools: 0, shifts: 0 };
    fc.assert(
      fc.property(body, (each) => {
        const request = asChat(each) ?? asCompletion(each);
        if (request) expectTaken(request, each.model.toWellFormed());
        if (!('messages' in each)) {
          if (request) seen.completions++;
          return;
        }
        const responded = asResponse(responseBody(each));
        const { input: _, ...settings } = request ?? {};
        const { input: said, ...others } = responded ?? {};
        expect([responded !== undefined, others]).toEqual([request !== undefined, settings]);
        if (!request) return;
        seen.chats++;
        if (request.tools) seen.tools++;
        if (LOGIT_SHIFTS.some((field) => request[field] !== undefined)) seen.shifts++;
        if (responded) expectTaken(responded, each.model.toWellFormed());
      }),
      { numRuns: 400 },
    );
    expect(Math.min(seen.chats, seen.completions)).toBeGreaterThan(50);
    expect(Math.min(seen.tools, seen.shifts)).toBeGreaterThan(0); // of chance some fifteen, and in one run of a thousand three
  });

  it('is taken by the wire and the engine if the screens and commands may ask it', () => {
    const settable = { maxTokens: sampling.max_tokens, temperature: sampling.temperature, topP: sampling.top_p };
    const asked = fc.record(
      { ...settable, topK: sampling.top_k, repeatPenalty: sampling.repeat_penalty, messages },
      { requiredKeys: ['messages'] },
    );
    fc.assert(
      fc.property(asked, (each) => {
        const { data } = askSchema.safeParse({ target: 'mesh', ...each });
        if (!data) return;
        const { target: _, messages: turns, ...rest } = data;
        const request = { input: { messages: turns }, ...rest };
        if (fitsAll(request)) expectTaken(request);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['messages', { messages: Array.from({ length: 1_001 }, () => ({ role: 'user', content: 'Hi' })) }],
    ['stop', { prompt: 'Hi', stop: ['x'.repeat(1_001)] }],
    ['max_tokens', { prompt: 'Hi', max_tokens: 1_000_001 }],
    [
      'response_format',
      {
        prompt: 'Hi',
        response_format: { type: 'json_schema', json_schema: { schema: { const: Number.POSITIVE_INFINITY } } },
      },
    ],
  ])('is refused at the door for its %s, which the wire would not take', (field, each) => {
    const schema = 'prompt' in each ? completionSchema : chatSchema;
    const { error } = schema.safeParse({ model: 'tiny', ...each });
    expect(error?.issues[0]?.path[0]).toBe(field);
  });

  it('is refused at the door, and before the mesh, when it is too large for a frame', () => {
    const fits = { input: { prompt: '世'.repeat(348_100) } };
    const large = { input: { prompt: '世'.repeat(348_200) } };
    expectTaken(fits, '\0'.repeat(limits.MAX_MODEL_NAME_CHARS));
    expect(() => checkGenerate(large)).toThrow(
      expect.objectContaining({ code: 'CONTEXT_TOO_LONG', field: 'input.prompt' }),
    );
    expect(() => completionRequest(completionSchema.parse({ model: 'tiny', prompt: large.input.prompt }))).toThrow(
      /larger than 1 MB/,
    );
    expect(() => checkGenerate({ input: { messages: [{ role: 'user', content: '\0'.repeat(180_000) }] } })).toThrow(
      /larger than 1 MB/,
    );
  });

  it('is held to its limits at its door, and again at whoever answers: it may have been changed on its way', () => {
    const request = chatRequest(chatSchema.parse({ model: 'tiny', messages: [{ role: 'user', content: 'Hi' }] }));
    expect(checkGenerate(request)).toEqual(request);
    request.maxTokens = 0;
    expect(() => checkGenerate(request)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
    const changed = { ...request, maxTokens: 1, input: { prompt: '世'.repeat(348_200) } };
    expect(() => checkGenerate(changed)).toThrow(expect.objectContaining({ code: 'CONTEXT_TOO_LONG' }));
  });

  it.each([{ logit_bias: { 7: -100 } }, { frequency_penalty: 0.5 }, { presence_penalty: -2 }])(
    'is refused before the wire for what its version does not carry: %j',
    (each) => {
      const request = completionRequest(completionSchema.parse({ model: 'tiny', prompt: 'Hi', ...each }));
      hostMessageSchema.parse(JSON.parse(JSON.stringify({ type: 'generate', id: 0, request })));
      expect(() => overTheWire(request, undefined)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
    },
  );

  it('has room for a turn of a conversation', () => {
    expect(limits.MAX_TURN_CHARS).toBeLessThanOrEqual(limits.MAX_TEXT_CHARS);
  });
});
