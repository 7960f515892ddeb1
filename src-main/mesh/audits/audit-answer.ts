import { DEFAULTS } from '../../../src-preload/contract/defaults.ts';
import { type AuditSums, addAudits } from '../../inference/verified/audit.ts';
import type { VerifiedSampling } from '../../inference/verified/choice.ts';
import { type AuditingBackend, readAgain } from '../../inference/verified/read-again.ts';
import type { ClaimedAnswer } from '../asking/claimed-answer.ts';
import { evidenceOf } from '../inference/claim.ts';
import type { Prompt } from '../inference/messages.ts';
import { spells } from './spelled-text.ts';

/** What a model makes of an answer: one whose text is not what its tokens spell was not chosen at all. @throws what the backend throws */
export async function auditAnswer(
  backend: AuditingBackend,
  { prompt, text, tokens }: ClaimedAnswer,
  options: { signal?: AbortSignal; deadlineMs?: number } = {},
): Promise<AuditSums> {
  const { input, ts: askedAt } = prompt;
  const told = { input, sampling: samplingOf(prompt), evidence: evidenceOf(tokens), askedAt };
  const { audits, spelled } = await readAgain(backend, told, options);
  const sums = addAudits(audits);
  return spells(spelled, text, { isWhole: audits.length === tokens.length })
    ? sums
    : { ...sums, mismatches: sums.tokens };
}

/** As it was signed; what was left to the worker is what Quarry takes (docs/protocol.md, prompt). */
function samplingOf({ params }: Prompt): VerifiedSampling {
  return {
    temperature: params.temperature ?? DEFAULTS.temperature,
    topP: params.topP ?? DEFAULTS.topP,
    topK: params.topK ?? DEFAULTS.topK,
    repeatPenalty: params.repeatPenalty ?? DEFAULTS.repeatPenalty,
    seed: params.seed ?? 0,
  };
}
