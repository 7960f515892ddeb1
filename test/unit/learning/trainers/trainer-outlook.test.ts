import { expect, it } from 'vitest';
import { DEFAULT_RUN, trainerSettings } from '../../../../src-main/learning/runs/run-settings.ts';
import { TrainersOutlook } from '../../../../src-main/learning/trainers/trainer-outlook.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';

const model = { modelPath: '/model.gguf', settings: trainerSettings(DEFAULT_RUN, { saysNew: false }) };
const forecast = (memory: number) => ({
  memory,
  secondsPerStep: (samples: number, tokens: number) => samples * tokens,
});
const tooLarge = new QuarryError({
  code: 'OUT_OF_MEMORY',
  message: say('training.doesNotFit', { needed: 4e9, limit: 2e9 }),
  hint: say('training.wouldFit', { ways: [say('training.wouldFit.layers', { layers: 6 })] }),
});

const outlook = new TrainersOutlook({
  own: {
    async forecast(trainer) {
      if (trainer === 'torch') return forecast(3e9);
      throw tooLarge;
    },
  },
  others: {
    async offers(sha256, { rank }) {
      expect([sha256, rank]).toEqual(['ab', 8]);
      return [
        { node: 'n1', name: 'Attic', forecast: forecast(1e9) },
        { node: 'n2', name: 'Cellar', error: new QuarryError({ code: 'OVERLOADED', message: say('trainers.ownRun') }) },
      ];
    },
  },
  sha256: async () => 'ab',
});

it('says what a training takes here, installed or not, or that it does not fit and what would', async () => {
  expect(await outlook.offers('torch', model)).toEqual([
    { node: null, forecast: { memory: 3e9, secondsPerStep: 4 * 128 }, error: null },
  ]);
  const [offer] = await outlook.offers('here', model);
  expect(offer).toMatchObject({ node: null, forecast: null, error: { code: 'OUT_OF_MEMORY' } });
  expect(offer?.error?.hint).toContain('only the last 6 layers');
});

it('says it of each of the other nodes, by its name', async () => {
  expect(await outlook.offers('paired', model)).toMatchObject([
    { node: 'Attic', forecast: { memory: 1e9 }, error: null },
    { node: 'Cellar', forecast: null, error: { code: 'OVERLOADED', message: 'It is learning itself.' } },
  ]);
  const alone = new TrainersOutlook({
    own: { forecast: async () => forecast(1) },
    others: undefined,
    sha256: async () => 'ab',
  });
  expect(await alone.offers('paired', model)).toEqual([]);
});
