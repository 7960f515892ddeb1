import { expect, it } from 'vitest';
import { DEFAULT_AXON_LIMITS } from '../../../../../src-main/bittensor/axon/axon.ts';
import type { TextWorker } from '../../../../../src-main/bittensor/axon/text-answers.ts';
import type { SynapseType } from '../../../../../src-main/bittensor/synapse/synapse.ts';
import { serveBenchmarks } from '../../../../../src-main/subnets/quasar/synapse/benchmark-answers.ts';
import {
  BENCHMARK_EVALUATION,
  BENCHMARK_QUESTION,
} from '../../../../../src-main/subnets/quasar/synapse/benchmark-evaluation.ts';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import type { GenerateRequest } from '../../../../../src-preload/contract/request.ts';
import { send, testAxon, testDendrite } from '../../../../support/bittensor-axon.ts';
import { testSigner } from '../../../../support/bittensor-signer.ts';

const FIELDS = {
  ...{ task_id: 'one', task_type: 'needle_haystack', dataset_name: 'needle' },
  ...{ context: 'The barge is number 123456.', prompt: 'Which number?' },
};

/** An axon whose model says this. */
async function axonOf(...says: string[]) {
  const asked: GenerateRequest[] = [];
  const worker: TextWorker = {
    async *generate(request) {
      asked.push(request);
      for (const text of says) yield { type: 'chunk', text };
      yield { type: 'done', model: 'm', result: { finish: 'stop', promptTokens: 1, completionTokens: 1 } };
    },
  };
  const { place } = await testAxon({ synapses: [serveBenchmarks(worker)] });
  return { place, asked, signer: await testSigner('//Dendrite') };
}

const type = BENCHMARK_EVALUATION as SynapseType;

it('a question about a long text is answered, and nothing is claimed beside the answer', async () => {
  const { place, asked } = await axonOf('123', '456');
  const dendrite = await testDendrite();
  const question = { ...FIELDS, max_tokens: 20, difficulty_level: 'easy' };
  const answer = await dendrite.call(place, BENCHMARK_QUESTION, question);
  expect(answer).toMatchObject({ status: 200, fields: { ...question, response: '123456' } });
  const content = 'The barge is number 123456.\n\nWhich number?';
  expect(asked).toEqual([{ input: { messages: [{ role: 'user', content }] }, maxTokens: 20, temperature: 0 }]);
  const known = ['response', 'processing_time', ...Object.keys(question)];
  expect(Object.keys(answer.fields ?? {}).filter((field) => !known.includes(field))).toEqual([]);
});

it('takes one as other validators send it: with nothing for what may be missing, and more than is looked at', async () => {
  const { place, asked, signer } = await axonOf('So.');
  const nothing = { context: null, evaluation_metrics: null, context_length: null, response: null };
  const more = { expected_output: 'the answer', benchmark_seed: 7, f1_score: 1, supports_perturbation: true };
  expect((await send({ place, signer, type, fields: { ...FIELDS, ...nothing, ...more } })).status).toBe(200);
  expect(asked).toMatchObject([{ input: { messages: [{ content: 'Which number?' }] }, maxTokens: 200 }]);
});

it.each([
  ['no question', { prompt: ' \n' }],
  ['a question that is no text', { prompt: ['a', 'b'] }],
  ['a kind of task that there is not', { task_type: 'poetry' }],
  ['a difficulty that there is not', { difficulty_level: 'very' }],
  ['no name for the task', { task_id: '' }],
  ['a name without an end', { dataset_name: 'x'.repeat(1_000) }],
  ['an answer without an end', { max_tokens: 1e12 }],
  ['an answer of half a token', { max_tokens: 0.5 }],
  ['metrics without an end', { evaluation_metrics: Array(1_000).fill('f1_score') }],
])('refuses %s, and asks the model nothing', async (_, wrong) => {
  const { place, asked, signer } = await axonOf('So.');
  expect((await send({ place, signer, type, fields: { ...FIELDS, ...wrong } })).status).toBe(422);
  expect(asked).toEqual([]);
});

it('refuses more than a body may have, before it is read', async () => {
  const { place, asked, signer } = await axonOf('So.');
  const context = 'word '.repeat(DEFAULT_AXON_LIMITS.bodyBytes / 4);
  const sent = send({ place, signer, type, fields: { ...FIELDS, context } });
  expect(
    await sent.then(
      ({ status }) => status,
      () => 413,
    ),
  ).toBe(413);
  expect(asked).toEqual([]);
});

it('says why there is no answer', async () => {
  const worker: TextWorker = {
    // biome-ignore lint/correctness/useYield: it refuses
    async *generate() {
      throw new QuarryError({ code: 'CONTEXT_TOO_LONG', message: 'It is too long.' });
    },
  };
  const { place } = await testAxon({ synapses: [serveBenchmarks(worker)] });
  const { status, message } = await send({ place, signer: await testSigner('//Dendrite'), type, fields: FIELDS });
  expect([status, message]).toEqual([400, 'It is too long.']);
});
