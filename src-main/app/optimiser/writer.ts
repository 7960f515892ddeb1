import type { Writer } from '../../subnets/quasar/optimiser/optimise.ts';
import type { OpenedExaminee } from '../evaluation/examinees/opened-examinee.ts';

/** Whoever can be asked, as one that writes kernels. */
export function writerOf({ model, room, count, ask }: OpenedExaminee): Writer {
  return {
    ...{ model, room },
    count: async (text) => await count(text),
    async write({ prompt, maxTokens, temperature }, signal) {
      const asked = { dataset: 'kernels', context: '', prompt };
      const { text, promptTokens, answerTokens } = await ask(asked, { maxTokens, temperature, signal });
      return { text, promptTokens, answerTokens };
    },
  };
}
