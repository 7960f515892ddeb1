import type { InferenceBackend, Probed } from '../../../inference/backend.ts';
import { addAudits, auditTokens } from '../../../inference/verified/audit.ts';
import { GREEDY, NEAR_TIE } from '../../../inference/verified/choice.ts';
import { viewsOf } from '../../../inference/verified/honest-probes.ts';
import { type AuditFinding, type AuditThresholds, findingOfWhole } from '../../../inference/verified/thresholds.ts';
import type { TokenProbe } from '../../../validation/environment.ts';
import { isWholeEvidence, type ProbeAnswer, readAnswer, type Shapeless } from './answer.ts';
import { type LogitDistance, logitDistance } from './logits.ts';

/** QUASAR, A8: held by whoever computes with the same weights in 16 or 32 bits, and by next to nobody with a quantised file. */
const LEAST_COSINE = 0.99;
const MOST_APART = 0.1;

/** The validator's own copy of the model. */
export interface Reference {
  /** Of its file, 64 hex. */
  sha256: string;
  vocabulary: number;
  /** By which a quantised file is told from others; undefined for weights that are not quantised. */
  thresholds: AuditThresholds | undefined;
  probe: NonNullable<InferenceBackend['probe']>;
}

/** What came of a probe. */
export type Verification =
  | { reason: 'verified'; distance: LogitDistance | undefined }
  | { reason: Shapeless | 'zero_norm' | 'other_file' | 'no_evidence' }
  /** `step` is 1 for the first token. */
  | { reason: 'prefix_mismatch'; step: number }
  | { reason: 'threshold_failed'; distance: LogitDistance }
  | { reason: 'audit_failed'; finding: AuditFinding };

/**
 * Looks whether an answer to a probe comes from the reference's weights. What it is compared with is what the reference says behind the answer's own tokens, so that two honest machines
 * may part at a near tie: of weights that are not quantised, the logits of the captured step and each token; of a quantised file, what verified inference looks at.
 * @param text see `probeText` @throws what the reference throws
 */
export async function verifyProbe(
  text: string,
  probe: TokenProbe,
  reference: Reference,
  signal?: AbortSignal,
): Promise<Verification> {
  const answer = readAnswer(text, probe, reference.vocabulary);
  if (typeof answer === 'string') return { reason: answer };
  const lack = lackOf(answer, reference);
  if (lack) return { reason: lack };
  const read = await reference.probe({ ...probe, said: answer.tokens }, { ...(signal && { signal }) });
  return reference.thresholds ? audited(answer, read, reference.thresholds) : compared(answer, read, probe);
}

function lackOf({ tokens, logits, file, evidence }: ProbeAnswer, { thresholds, sha256 }: Reference) {
  if (!thresholds) return logits ? undefined : 'no_logits';
  if (file !== sha256) return 'other_file';
  return evidence && isWholeEvidence(tokens, evidence) ? undefined : 'no_evidence';
}

function compared({ logits = new Float64Array() }: ProbeAnswer, read: Probed, { captureAt }: TokenProbe): Verification {
  const distance = logitDistance(logits, read.logits);
  if (!distance) return { reason: 'zero_norm' };
  const step = firstUnlikely(read) + 1;
  if (step > 0 && step <= captureAt) return { reason: 'prefix_mismatch', step };
  const { cosine, mostApart } = distance;
  if (!(cosine >= LEAST_COSINE && mostApart <= MOST_APART)) return { reason: 'threshold_failed', distance };
  return step > 0 ? { reason: 'prefix_mismatch', step } : { reason: 'verified', distance };
}

/** @returns where the first token is that the reference would not have chosen, also with all the rounding that is allowed; −1 for none */
function firstUnlikely({ evidence }: Probed): number {
  return evidence.findIndex(({ logprob, top }) => (top[0]?.[1] ?? 0) - logprob > NEAR_TIE);
}

function audited({ evidence = [] }: ProbeAnswer, read: Probed, thresholds: AuditThresholds): Verification {
  const own = viewsOf(read.evidence);
  const sums = addAudits(auditTokens({ prompt: [], sampling: GREEDY, evidence, own }));
  const finding = findingOfWhole(sums, thresholds);
  return finding ? { reason: 'audit_failed', finding } : { reason: 'verified', distance: undefined };
}
