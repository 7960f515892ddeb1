import { EVIDENCE_TOP, type TokenEvidence } from '../evidence.ts';
import { mayBeChosen, REPEAT_WINDOW, type TokenChance, type VerifiedSampling } from './choice.ts';

/** One token as the auditor's own model sees it, given what came before it. */
export interface OwnView {
  /** Natural-log probability of the token that was said. */
  logprob: number;
  /** The likeliest tokens, best first: as many as a choice wants. */
  top: readonly TokenChance[];
}

/** What an audit found, summed over tokens, so that those of several answers add up. */
export interface AuditSums {
  tokens: number;
  /** Of each token, the mean |Δ| of the log-probabilities that it was told with, each at most {@link MOST_DIFFERENCE}. */
  top: number;
  /** |Δ| of the log-probability of what was said, each at most {@link MOST_DIFFERENCE}. */
  chosen: number;
  /** Tokens that the auditor's model would not have chosen with the same seed, near ties aside at temperature 0. */
  mismatches: number;
}

/** What an audit measures, each as a mean over tokens. */
export const AUDIT_MEASURES = ['top', 'chosen', 'mismatches'] as const;
export type AuditMeasure = (typeof AUDIT_MEASURES)[number];

/** Nats: one token that a model thinks impossible is to count no more than one that it thinks unlikely. */
const MOST_DIFFERENCE = 1;

export const NOTHING_AUDITED: AuditSums = { tokens: 0, top: 0, chosen: 0, mismatches: 0 };
/** A token as far off as can be. */
export const ALL_OTHERWISE: AuditSums = { tokens: 1, top: MOST_DIFFERENCE, chosen: MOST_DIFFERENCE, mismatches: 1 };

/** @param prompt last tokens of the prompt, {@link REPEAT_WINDOW} or more: only the repeat penalty looks at them */
export interface AuditedAnswer {
  prompt: readonly number[];
  sampling: VerifiedSampling;
  evidence: readonly TokenEvidence[];
  own: readonly OwnView[];
}

/** Each token of an answer, held against the auditor's own model. */
export function auditTokens({ prompt, sampling, evidence, own }: AuditedAnswer): AuditSums[] {
  const said = prompt.slice(-REPEAT_WINDOW);
  return evidence.map((told, place) => {
    const view = own[place] ?? { logprob: Number.NEGATIVE_INFINITY, top: [] };
    const isSame = view.top.length > 0 && mayBeChosen(told.id, view.top, sampling, place, said);
    said.push(told.id);
    return {
      tokens: 1,
      top: meanDifference(told, view),
      chosen: difference(told.logprob, view.logprob),
      mismatches: isSame ? 0 : 1,
    };
  });
}

export function addAudits(audits: Iterable<AuditSums>): AuditSums {
  const sums = { ...NOTHING_AUDITED };
  for (const { tokens, top, chosen, mismatches } of audits) {
    sums.tokens += tokens;
    sums.top += top;
    sums.chosen += chosen;
    sums.mismatches += mismatches;
  }
  return sums;
}

/** What is not among the auditor's likeliest, what is told twice and what is not told count as far off as can be. */
function meanDifference({ top }: TokenEvidence, own: OwnView): number {
  const known = new Map(own.top.map(({ id, logprob }) => [id, logprob]));
  const told = new Map(top);
  let sum = MOST_DIFFERENCE * (EVIDENCE_TOP - told.size);
  for (const [id, logprob] of told) sum += difference(logprob, known.get(id));
  return sum / EVIDENCE_TOP;
}

function difference(told: number, own: number | undefined): number {
  if (own === undefined) return MOST_DIFFERENCE;
  const apart = Math.abs(told - own);
  return Number.isNaN(apart) ? MOST_DIFFERENCE : Math.min(apart, MOST_DIFFERENCE);
}
