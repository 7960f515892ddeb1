import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../../src-main/bittensor/axon/gate.ts';
import { serveText, type TextEvent } from '../../../../src-main/bittensor/axon/text-answers.ts';
import { type Asked, PROMPTING, STREAM_PROMPTING } from '../../../../src-main/bittensor/synapse/prompting.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { GenerateRequest } from '../../../../src-preload/contract/request.ts';
import { send, signedRequest, testAxon, testDendrite } from '../../../support/bittensor-axon.ts';
import { testSigner } from '../../../support/bittensor-signer.ts';

interface Asking {
  request: GenerateRequest;
  caller: Caller;
  model: string | undefined;
}

/** An axon whose worker says what a test wants it to. */
async function open(answer: (asking: Asking) => AsyncIterable<TextEvent>) {
  const seen: Asking[] = [];
  const synapses = serveText({
    generate(request, caller, { model }) {
      const asking = { request, caller, model };
      seen.push(asking);
      return answer(asking);
    },
  });
  return { seen, ...(await testAxon({ synapses })) };
}

async function* greeting(): AsyncGenerator<TextEvent> {
  yield { type: 'chunk', text: 'Grüß ' };
  yield { type: 'chunk', text: 'Gott 👋' };
  yield { type: 'done', model: 'tiny', result: { finish: 'stop', promptTokens: 7, completionTokens: 4 } };
}

const fields = (over: Partial<Asked> = {}): Asked => STREAM_PROMPTING.fields.parse({ ...QUESTION, ...over });
const QUESTION = { roles: ['system', 'user'], messages: ['Be kind.', 'It’s "late"\n— hällo?'] };

describe('a prompt by an axon', () => {
  it('is answered in one piece, with what it took', async () => {
    const { place, seen } = await open(greeting);
    const dendrite = await testDendrite();
    const answer = await dendrite.call(place, PROMPTING, PROMPTING.fields.parse(QUESTION));
    expect(answer).toMatchObject({
      status: 200,
      fields: {
        ...QUESTION,
        ...{ completion: 'Grüß Gott 👋', model: 'tiny', finish_reason: 'stop', prompt_tokens: 7, completion_tokens: 4 },
      },
    });
    const messages = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'It’s "late"\n— hällo?' },
    ];
    const { address: hotkey } = await testSigner('//Dendrite');
    expect(seen).toMatchObject([{ request: { input: { messages } }, caller: { hotkey }, model: undefined }]);
  });

  it('is answered as it is written', async () => {
    const { place } = await open(greeting);
    const stream = (await testDendrite()).stream(place, STREAM_PROMPTING, fields());
    let text = '';
    let next = await stream.next();
    for (; !next.done; next = await stream.next()) text += Buffer.from(next.value).toString();
    expect([text, next.value.status]).toEqual(['Grüß Gott 👋', 200]);
  });

  it('says how it is to be answered', async () => {
    const { place, seen } = await open(greeting);
    const wishes = { model: 'qwen3-4b', max_tokens: 9, temperature: 0, top_p: 0.5, seed: 3 };
    await (await testDendrite()).call(place, PROMPTING, PROMPTING.fields.parse({ ...QUESTION, ...wishes }));
    expect(seen).toMatchObject([{ model: 'qwen3-4b', request: { maxTokens: 9, temperature: 0, topP: 0.5, seed: 3 } }]);
  });

  it.each([
    ['without a role for each message', { roles: ['user'] }, 'Each message has one role.'],
    ['of somebody who has no part in it', { roles: ['god', 'user'] }, ''],
    ['without a word', { roles: [], messages: [] }, ''],
  ])('%s has another shape', async (_, over, why) => {
    const { place, seen } = await open(greeting);
    const asked = { ...QUESTION, ...over };
    const signer = await testSigner('//Dendrite');
    const type = PROMPTING as never;
    expect(await send({ place, signer, type, fields: asked })).toEqual({
      status: 422,
      message: expect.stringContaining(why),
    });
    expect(seen).toEqual([]);
  });

  it('is signed for what it says: one that was changed on the way is not answered', async () => {
    const { place, seen } = await open(greeting);
    const signer = await testSigner('//Dendrite');
    const body = JSON.stringify({ ...QUESTION, messages: ['Be kind.', 'Send money.'] });
    const asked = { place, signer, type: PROMPTING as never, fields: PROMPTING.fields.parse(QUESTION), body };
    expect(await send(asked)).toMatchObject({ status: 500 });
    expect(seen).toEqual([]);
  });

  it.each([
    ['QUEUE_FULL', undefined, 503, '1'],
    ['RATE_LIMIT', 6_200, 429, '7'],
    ['MODEL_NOT_FOUND', undefined, 400, null],
  ] as const)('that is refused with %s is told when to come again', async (code, retryAfterMs, status, after) => {
    const retryable = status !== 400;
    // biome-ignore lint/correctness/useYield: it fails before
    const { place } = await open(async function* () {
      throw new QuarryError({ code, message: 'Not now.', retryable, ...(retryAfterMs && { retryAfterMs }) });
    });
    const signer = await testSigner('//Dendrite');
    for (const type of [PROMPTING, STREAM_PROMPTING]) {
      const request = await signedRequest({ place, signer, type: type as never, fields: type.fields.parse(QUESTION) });
      const answer = await fetch(`http://${place.ip}:${place.port}/${type.name}`, request);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, after]);
      expect(await answer.json()).toEqual({ message: 'Not now.' });
    }
  });
});
