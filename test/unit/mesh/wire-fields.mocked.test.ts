import canonicalize from 'canonicalize';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { Attempt, DEFAULT_PATIENCE } from '../../../src-main/mesh/asking/attempt.ts';
import { inferenceMessageSchema } from '../../../src-main/mesh/inference/messages.ts';
import { identityFromSeed } from '../../../src-main/mesh/transport/identity.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type GenerateRequest, requestSchema } from '../../../src-preload/contract/request.ts';
import { WirelessPeer } from '../../support/wireless-peer.ts';

// A contract that has been given a field more, for all who take a request, and one for each of its messages.
vi.mock('../../../src-preload/contract/request.ts', async (original) => {
  const real = await original<typeof import('../../../src-preload/contract/request.ts')>();
  const samplingFields = { ...real.samplingFields, novelty: z.number() };
  const samplingSchema = z.strictObject(samplingFields).partial();
  const messageSchema = real.messageSchema.extend({ mood: z.string().optional() });
  const messages = z.array(messageSchema);
  const inputSchema = z.union([z.strictObject({ messages }), z.strictObject({ prompt: real.promptTextSchema })]);
  const requestSchema = real.requestSchema.extend({ input: inputSchema, novelty: samplingFields.novelty.optional() });
  return { ...real, samplingFields, samplingSchema, messageSchema, inputSchema, requestSchema };
});

vi.mock('canonicalize', async (original) => {
  const { default: canonicalize } = await original<typeof import('canonicalize')>();
  return { default: vi.fn(canonicalize) };
});

const messages = [{ role: 'user' as const, content: 'Hi' }];

/** What a worker is sent when this is asked. */
function sentFor(request: GenerateRequest): unknown[] {
  const { peer, sent } = new WirelessPeer(identityFromSeed(Buffer.alloc(32, 2)).id);
  const attempt = new Attempt({
    peer,
    identity: identityFromSeed(Buffer.alloc(32, 1)),
    request,
    maxTokens: 8,
    model: undefined,
    deadlineMs: 1_000,
    patience: DEFAULT_PATIENCE,
    longestQueueMs: () => 0,
    pledge: async () => '',
    now: () => 0,
  });
  try {
    attempt.start();
  } finally {
    attempt.cancel(new QuarryError({ code: 'CANCELLED', message: 'enough' }));
  }
  return sent.filter(({ type }) => type === 'prompt');
}

it.each([
  ['novelty', { input: { messages }, params: { novelty: 1 } }],
  ['mood', { input: { messages: messages.map((turn) => ({ ...turn, mood: 'glad' })) }, params: {} }],
])('a field that only the contract knows (%s) does not leave the node, nor is it taken', (_, { input, params }) => {
  const request = { input, ...params };
  expect(requestSchema.parse(request)).toEqual(request);
  expect(() => sentFor(request)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));

  const [usual] = sentFor({ input: { messages } });
  expect(inferenceMessageSchema.safeParse(usual).success).toBe(true);
  expect(inferenceMessageSchema.safeParse({ ...(usual as object), input, params }).success).toBe(false);
});

it('puts a prompt that it sends into its signed form once, which is most of what a large one costs', () => {
  vi.mocked(canonicalize).mockClear();
  expect(sentFor({ input: { messages } })).toHaveLength(1);
  expect(canonicalize).toHaveBeenCalledOnce();
});
