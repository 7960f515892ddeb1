import { assembleTraining } from '../../../src-main/learning/training/assemble-training.ts';
import { type ModelOptions, openModel } from '../../../src-main/learning/training/open-model.ts';

/** Everything that computes an adapter's gradients, in this process. @param options `keep`: what is kept in memory, rather than read or computed once more */
export async function openTraining(options: ModelOptions & { keep: { weights: boolean; passed: boolean } }) {
  const { settings, keep } = options;
  const model = await openModel(options);
  const { training, close } = await assembleTraining({ ...model, settings, keep });
  return {
    ...{ training, adapter: model.adapter, state: model.state },
    async close() {
      close();
      await model.close();
    },
  };
}
