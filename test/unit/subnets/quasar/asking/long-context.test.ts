import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_AXON_LIMITS } from '../../../../../src-main/bittensor/axon/axon.ts';
import { longContextEnvironments, roughTokens } from '../../../../../src-main/subnets/quasar/asking/long-context.ts';
import { BENCHMARK_QUESTION } from '../../../../../src-main/subnets/quasar/synapse/benchmark-evaluation.ts';
import { benchmarkQuestion } from '../../../../../src-main/subnets/quasar/synapse/benchmark-question.ts';
import { pose } from '../../../../../src-main/validation/challenge.ts';
import type { Ask, Environment } from '../../../../../src-main/validation/environment.ts';
import { fitsAll } from '../../../../../src-preload/contract/request.ts';
import { knowing } from '../../../../support/knowing.ts';

const ENVIRONMENTS = [...longContextEnvironments().values()];
const named = (name: string): Environment => longContextEnvironments().get(name)!;

/** As for Affine: where one of these changes, a seed stands for something else, and the version of its environment has to change. */
const FROZEN: Record<string, string> = {
  'quasar-needle 1.1 4k': '25e9ce2cf237dd5285fe63ad62451f20efa6d1be610f729dfc7acf69c7dc526f',
  'quasar-needle 1.1 mixed': '5f33b0f3020569682a61d9f69d76fbdcd6f9163852f71b565810d4695f165569',
  'quasar-needle 1.1 124k': '12eba23a774a878f14cacd8cf6498f711e070d1c63afc8941bc4fd5e2948d79e',
  'quasar-needles 1.1 4k': '6d446cd522b59c73b082c981303268dba639d63cfb75514d37c68e185e6b220a',
  'quasar-needles 1.1 mixed': '04c5b977d667c67c1976403ac226c4c60b89022326dab48f408208b103ead39e',
  'quasar-needles 1.1 124k': 'a191736267b79631d5220e479eb24aa476c1a7f4cebaf052d143395900a6873a',
  'quasar-two-hop 1.1 4k': '8947ae3a5d5d0408cc78872a1aa1d32e2774dbbabde7a5858132b2b0c9e74df8',
  'quasar-two-hop 1.1 mixed': '7aeee17e0cab3f19aca4b65f5bf1c910793ff8d0af5859aae6af41462c88376b',
  'quasar-two-hop 1.1 124k': 'ab88f8b1dd2532297426c721624bd23598f8397efbb2ac6bc72bcd53dd90dded',
  'quasar-anchors 1.1 4k': 'b494a72eb09940aad8e3f10815972b01603140c8d5e2b6b07110ee536c021153',
  'quasar-anchors 1.1 mixed': 'c68a77035c3d9ade000ca8bf19e728a5d5d581c6be408dc0db0a6a506d281a95',
  'quasar-anchors 1.1 124k': '5aa00871d12af702d54521f41381a62444b25ae97e64ac8dc2763306756766e3',
  'quasar-patterns 1.1 4k': '20e86280e0576eeefe39c485bb71eebe1f2a9d1f893f8ca9e2146c8cb7cb42f9',
  'quasar-patterns 1.1 mixed': '02883441ed902371d7b88bf0f743285d454d0efe3f12be5ccb2412a782ae9da2',
  'quasar-patterns 1.1 124k': 'd9acf6abcadfef4d59a242fba29023e0f6c89f3d183514160491e1edb26920de',
  'quasar-scaling 1.1 4k': 'e132440ffd9dc61b703b75139ce495a0a3f62c423b1f4b42b4233263e1dd2c5f',
  'quasar-scaling 1.1 mixed': 'bd1c79fa78c9fc53829abb1b8b3c53ca67b9c7a29ac4e56476a1a22bae3b018a',
  'quasar-scaling 1.1 124k': '7bf0502fc194d501cb7f58967e412ab1d5bf50029afaa82f5d0d78556b4b736e',
};

describe.each(ENVIRONMENTS)('$name', (environment) => {
  const { name, version, levels } = environment;

  it.each(['4k', 'mixed', '124k'])('asks the same for the same seed, for ever: %s', async (level) => {
    const [one, other] = [await pose(environment, level, 'for ever'), await pose(environment, level, 'for ever')];
    expect(one.id).toBe(FROZEN[`${name} ${version} ${level}`]);
    expect(other.prompt).toBe(one.prompt);
  });

  it('asks something else for every seed, and tells nothing of it', async () => {
    const seeds = Array.from({ length: 50 }, (_, at) => `c0ffee${at}`);
    const posed = await Promise.all(seeds.map((seed) => pose(environment, '1k', seed)));
    expect(new Set(posed.map(({ id }) => id)).size).toBe(50);
    for (const { prompt, id } of posed) expect(`${prompt} ${id}`).not.toContain('c0ffee');
  });

  it.each(levels)('fits whatever asks it, on the mesh and of axons: %s', async (level) => {
    const { prompt, ask, id } = await pose(environment, level, 'as long as that');
    expect(fitsAll({ input: { messages: [{ role: 'user', content: prompt }] } })).toBe(true);
    const asked = benchmarkQuestion({ id, ...longTextOf(ask) }, 4_096);
    expect(JSON.stringify(asked).length).toBeLessThan(DEFAULT_AXON_LIMITS.bodyBytes - 4_096);
    if (level !== 'mixed') expect(asked.context_length).toBeCloseTo(1_000 * Number.parseInt(level, 10), -2);
  });

  it('gives a right answer all that there is, and a wrong or empty one nothing', async () => {
    const { environment: posing, answerOf } = knowing(environment);
    for (let seed = 0; seed < 20; seed++) {
      const { judge, ask } = await pose(posing, '1k', `${seed}`);
      const answer = answerOf(longTextOf(ask).question);
      expect(await judge(`<think>Perhaps 123456.</think>${answer}`)).toMatchObject({ score: 1, accuracy: 1 });
      for (const wrong of ['', 'I do not know.', `<think>${answer}</think>`]) {
        expect(await judge(wrong)).toMatchObject({ score: 0, accuracy: 0 });
      }
      // Whoever says the whole text again has said the answer, too, and has found nothing.
      expect((await judge(longTextOf(ask).context)).score).toBe(0);
    }
  });

  it('judges any text', async () => {
    const { judge } = await pose(environment, '1k', 'judge');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (answer) => {
        const { score, accuracy = -1, reason } = await judge(answer);
        expect(score).toBeGreaterThanOrEqual(accuracy);
        expect(accuracy).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(reason.key).toMatch(/^quasar\.asked/);
      }),
    );
  });
});

it('an answer about a longer text earns more, and its accuracy stands beside that', async () => {
  const { environment, answerOf } = knowing(named('quasar-needle'));
  const half = async (level: string) => {
    for (let seed = 0; ; seed++) {
      const { judge, ask } = await pose(environment, level, `${seed}`);
      const answer = answerOf(longTextOf(ask).question);
      if (/^\w+ \w+$/.test(answer)) return judge(answer.split(' ')[0] ?? ''); // one of two words: two thirds
    }
  };
  expect(await half('4k')).toMatchObject({ score: 2 / 3, accuracy: 2 / 3, reason: { key: 'quasar.asked.judged' } });
  const { score, accuracy, reason } = await half('64k');
  expect([score, accuracy, reason.key]).toEqual([
    expect.closeTo(0.8, 5),
    expect.closeTo(2 / 3, 5),
    'quasar.asked.multiplied',
  ]);
});

it('asks an axon what QUASAR asks, and neither the seed nor the answer is in it', async () => {
  const { environment, answerOf } = knowing(named('quasar-patterns'));
  const seed = 'c0ffee'.repeat(10);
  const { id, prompt, ask } = await pose(environment, '1k', seed);
  const { context, question } = longTextOf(ask);
  expect(prompt.endsWith(`${context}\n\n${question}`)).toBe(true);
  const asked = benchmarkQuestion({ id, ...longTextOf(ask) }, 100);
  expect(asked).toEqual({
    ...{ task_id: id, task_type: 'synthetic', dataset_name: 'patterns', context, prompt: question, max_tokens: 100 },
    ...{ difficulty_level: 'easy', evaluation_metrics: ['accuracy', 'coherence'] },
    context_length: roughTokens(context),
  });
  expect(JSON.stringify(asked)).not.toContain('c0ffee');
  expect(JSON.stringify(asked)).not.toContain(answerOf(question));
  expect(BENCHMARK_QUESTION.name).toBe('BenchmarkEvaluationSynapse');
});

function longTextOf(ask: Ask) {
  if (ask.kind !== 'longText') throw new Error(ask.kind);
  return ask.text;
}
