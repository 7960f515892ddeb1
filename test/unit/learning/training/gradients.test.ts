import { describe, expect, it, onTestFinished } from 'vitest';
import { newState } from '../../../../src-main/learning/training/adapter/adam-w.ts';
import { logSumExp } from '../../../../src-main/learning/training/loss/logits.ts';
import { furthest } from '../../../support/adapter-distance.ts';
import { openTraining } from '../../../support/learning/open-training.ts';
import { settingsOf, type TrainingFixture, trainingFixture } from '../../../support/training-fixture.ts';

const ARCHITECTURES = ['llama', 'qwen2', 'qwen3', 'gemma3'];
const LOSSES = ['distillation', 'sdpo', 'sdpo-student'];

async function opened(fixture: TrainingFixture, loss: string, keep: boolean) {
  const open = await openTraining({
    modelPath: fixture.modelPath,
    settings: settingsOf(fixture, loss),
    from: async () => {
      const adapter = fixture.adapter('adapter');
      return { adapter, state: newState(adapter) };
    },
    keep: { weights: keep, passed: keep },
  });
  onTestFinished(() => open.close());
  return open;
}

describe.each(ARCHITECTURES)('%s', (architecture) => {
  it('gives a response the probabilities that PyTorch gives it', async () => {
    const fixture = await trainingFixture(architecture);
    const { training } = await opened(fixture, 'distillation', true);
    for (const [index, sample] of fixture.samples.entries()) {
      const logits = fixture.logits(index);
      const width = logits.length / sample.response.length;
      const expected = sample.response.map((token, place) => {
        const row = logits.subarray(place * width, (place + 1) * width);
        return expect.closeTo((row[token] ?? Number.NaN) - logSumExp(row), 4);
      });
      expect(await training.score(sample)).toEqual(expected);
    }
  });

  it.each(LOSSES)('has the loss and the gradients of PyTorch: %s', async (loss) => {
    const fixture = await trainingFixture(architecture);
    const { training } = await opened(fixture, loss, true);
    const { gradients, sums } = await training.gradients(fixture.samples);
    expect(sums.distill).toBeCloseTo(fixture.expected[loss]?.distill ?? Number.NaN, 4);
    expect(sums.kl).toBeCloseTo(fixture.expected[loss]?.kl ?? Number.NaN, 4);
    expect(furthest(gradients, fixture.adapter(loss))).toBeLessThan(1e-4);
  });

  it('computes the same where it keeps neither weights nor what it has computed', async () => {
    const fixture = await trainingFixture(architecture);
    const kept = await opened(fixture, 'sdpo', true);
    const unkept = await opened(fixture, 'sdpo', false);
    const expected = await kept.training.gradients(fixture.samples);
    const { gradients } = await unkept.training.gradients(fixture.samples);
    expect(furthest(gradients, expected.gradients)).toBe(0);
  });

  it('takes PyTorch’s step of AdamW', async () => {
    const fixture = await trainingFixture(architecture);
    const { training, adapter } = await opened(fixture, 'sdpo-student', true);
    const { gradNorm, loss } = await training.step(fixture.samples);
    expect(loss).toBeCloseTo(fixture.expected['sdpo-student']?.loss ?? Number.NaN, 4);
    expect(gradNorm / fixture.gradNorm).toBeCloseTo(1, 4);
    expect(furthest(adapter, fixture.adapter('stepped'))).toBeLessThan(1e-4);
  });
});
