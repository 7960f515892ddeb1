import canonicalize from 'canonicalize';
import { z } from 'zod';
import { recordingId } from '../../../../src-preload/contract/focus.ts';
import { hexPattern } from '../../../../src-preload/contract/limits.ts';
import { parsedJson } from '../../../base/json-text.ts';
import { sha256 } from '../../../base/sha256.ts';
import { type Signer, taggedBytes, type Verify } from '../../../base/signing.ts';
import type { FocusTask } from './model/questions.ts';
import type { RecordingScore } from './score-recording.ts';

const TAG = 'quarry-focus-score-1';
/** Characters of a signed score: five times what one has. */
const MOST_CHARS = 8_192;

const share = z.number().min(0).max(1);
const hash = z.string().regex(hexPattern(32));
const payloadSchema = z.strictObject({
  recording: recordingId,
  /** The last link of its chain: the score is of just these chunks. */
  content: hash,
  /** SHA-256 of the task, as canonical JSON. */
  task: hash,
  rulesVersion: z.string().max(32),
  modelVersion: z.string().max(32).nullable(),
  model: z.string().max(200).nullable(),
  host: z.string().max(300).nullable(),
  outcome: z.enum(['passed', 'failed', 'doubted', 'unscored']),
  rulesScore: share,
  completion: share.nullable(),
  score: z.number().min(0).max(100).nullable(),
  /** Unix milliseconds. */
  at: z.int().min(0),
  signer: hash,
});
export type ScorePayload = z.infer<typeof payloadSchema>;

export const signedScoreSchema = z.strictObject({
  /** Canonical JSON (RFC 8785). */
  payload: z.string().max(MOST_CHARS),
  signature: z.string().regex(hexPattern(64)),
});
export type SignedScore = z.infer<typeof signedScoreSchema>;

/** A score as others can check it: of which recording, for which task, by whom. */
export function signScore(
  { recording, content, task, at }: { recording: string; content: string; task: FocusTask; at: number },
  { rules, model, outcome, score }: RecordingScore,
  signer: Signer,
): SignedScore {
  const body: ScorePayload = {
    ...{ recording, content, outcome, score, at },
    task: taskHash(task),
    rulesVersion: rules.version,
    rulesScore: rules.score,
    modelVersion: model?.version ?? null,
    model: model?.model ?? null,
    host: model?.host ?? null,
    completion: model?.completion?.score ?? null,
    signer: signer.id,
  };
  return { payload: canonicalize(body) as string, signature: signer.sign(taggedBytes(TAG, body)) };
}

/** @returns undefined for one that is too long, not in its form, or not signed by whom it names */
export function readScore({ payload, signature }: SignedScore, verify: Verify): ScorePayload | undefined {
  if (payload.length > MOST_CHARS || !new RegExp(hexPattern(64)).test(signature)) return undefined;
  const { data } = payloadSchema.safeParse(parsedJson(payload));
  return data && verify(data.signer, taggedBytes(TAG, data), signature) ? data : undefined;
}

export function taskHash({ title, description }: FocusTask): string {
  return sha256(canonicalize({ title, description }) as string).toString('hex');
}
