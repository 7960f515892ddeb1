import type { TokenEvidence } from '../../src-main/inference/evidence.ts';
import { EVIDENCE_TOP } from '../../src-main/inference/evidence.ts';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import type { GenerateInput } from '../../src-preload/contract/request.ts';

/** What a model would tell of tokens that another has chosen: how a liar fakes log-probabilities of the model that he declares. */
export async function readEvidence(
  model: LocalBackend,
  input: GenerateInput,
  chosen: readonly TokenEvidence[],
): Promise<TokenEvidence[]> {
  const continuation = chosen.map(({ id }) => id);
  const { tokens } = await model.score({ input, continuation, topK: EVIDENCE_TOP });
  return tokens.map(({ id = 0, logprob, top }) => ({
    ...{ id, logprob },
    top: top.map((each): [number, number] => [each.id ?? 0, each.logprob]),
  }));
}
