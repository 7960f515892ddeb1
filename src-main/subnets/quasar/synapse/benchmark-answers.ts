import { type GenerateRequest, requestSchema } from '../../../../src-preload/contract/request.ts';
import { InvalidBody } from '../../../bittensor/axon/answering.ts';
import { type ServedSynapse, serve } from '../../../bittensor/axon/served-synapse.ts';
import type { TextWorker } from '../../../bittensor/axon/text-answers.ts';
import { BENCHMARK_EVALUATION } from './benchmark-evaluation.ts';

/** What an axon answers validators of QUASAR with a language model. It says nothing of how good it is: that is for whoever asks to find out. */
export function serveBenchmarks(worker: TextWorker): ServedSynapse {
  return serve(BENCHMARK_EVALUATION, async ({ context, prompt, max_tokens }, caller, signal) => {
    const request = requestOf(context ?? '', prompt ?? '', max_tokens);
    const began = performance.now();
    let response = '';
    for await (const event of worker.generate(request, caller, { signal })) {
      if (event.type === 'chunk') response += event.text;
    }
    return { response, processing_time: (performance.now() - began) / 1_000 };
  });
}

/** The text, and then the question; without chance. @throws InvalidBody where there is no question, or it is too long with its text */
function requestOf(context: string, prompt: string, maxTokens: number): GenerateRequest {
  if (prompt.trim() === '') throw new InvalidBody(['prompt'], 'There is no question.');
  const content = context === '' ? prompt : `${context}\n\n${prompt}`;
  const read = requestSchema.safeParse({
    input: { messages: [{ role: 'user', content }] },
    ...{ maxTokens, temperature: 0 },
  });
  if (read.success) return read.data;
  throw new InvalidBody(['context'], read.error.issues[0]?.message ?? '');
}
