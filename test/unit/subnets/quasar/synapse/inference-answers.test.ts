import { expect, it } from 'vitest';
import type { SynapseType } from '../../../../../src-main/bittensor/synapse/synapse.ts';
import { serveProbes } from '../../../../../src-main/subnets/quasar/synapse/inference-answers.ts';
import {
  INFERENCE_PROBE,
  INFERENCE_VERIFICATION,
} from '../../../../../src-main/subnets/quasar/synapse/inference-verification.ts';
import type { TokenProbe } from '../../../../../src-main/validation/environment.ts';
import { send, testAxon, testDendrite } from '../../../../support/bittensor-axon.ts';
import { testSigner } from '../../../../support/bittensor-signer.ts';

/** As many logits as a large vocabulary has tokens. */
const ANSWER = { tokens: [4, 5], captured_logits: Array(152_000).fill(1.234567), elapsed_sec: 0.5 };

async function axon() {
  const asked: TokenProbe[] = [];
  const served = serveProbes(async (probe) => {
    asked.push(probe);
    return ANSWER;
  });
  const { place } = await testAxon({ synapses: [served] });
  return { place, asked, signer: await testSigner('//Dendrite') };
}

const FIELDS = { prompt: [11, 12], gen_len: 2, logits_at_step: 1 };

it('answers bare tokens, with a list that is longer than others may be', async () => {
  const { place, asked } = await axon();
  const dendrite = await testDendrite();
  const most = { bytes: 8 << 20, marks: 1_500_000 };
  const answer = await dendrite.call(place, INFERENCE_PROBE, FIELDS, { most });
  expect(answer).toMatchObject({ status: 200, fields: { tokens: [4, 5], elapsed_sec: 0.5 } });
  expect(answer.fields?.captured_logits).toHaveLength(152_000);
  expect(asked).toEqual([{ prompt: [11, 12], length: 2, captureAt: 1 }]);
  const usual = await dendrite.call(place, INFERENCE_PROBE, FIELDS);
  expect(usual).toMatchObject({ fields: undefined, message: expect.stringContaining('too many parts') });
  const small = await dendrite.call(place, INFERENCE_PROBE, FIELDS, { most: { ...most, bytes: 1_000 } });
  expect(small).toMatchObject({ fields: undefined, message: expect.stringContaining('too long') });
});

it('takes one as other validators send it: with defaults, and more than is looked at', async () => {
  const { place, asked, signer } = await axon();
  const type = INFERENCE_VERIFICATION as SynapseType;
  const more = { challenge_id: 'x', reference_model: 'Qwen/Qwen3-4B', verified: true, score: 0 };
  expect((await send({ place, signer, type, fields: { prompt: [11], ...more } })).status).toBe(200);
  expect(asked).toEqual([{ prompt: [11], length: 512, captureAt: 25 }]);
});

it.each([
  ['no prompt', { prompt: [] }],
  ['a prompt of words', { prompt: ['a'] }],
  ['half a token', { prompt: [0.5] }],
  ['a prompt without an end', { prompt: Array(5_000).fill(11) }],
  ['a text without an end', { gen_len: 1e9 }],
  ['a step that there is not', { logits_at_step: 3 }],
])('refuses %s, and asks the model nothing', async (_, wrong) => {
  const { place, asked, signer } = await axon();
  const type = INFERENCE_VERIFICATION as SynapseType;
  expect((await send({ place, signer, type, fields: { ...FIELDS, ...wrong } })).status).toBe(422);
  expect(asked).toEqual([]);
});
