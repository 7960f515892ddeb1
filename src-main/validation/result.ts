import canonicalize from 'canonicalize';
import { z } from 'zod';
import { hexPattern } from '../../src-preload/contract/limits.ts';
import { sayingSchema } from '../../src-preload/contract/saying-schema.ts';
import { parsedJson } from '../base/json-text.ts';
import { sha256 } from '../base/sha256.ts';
import type { Signer, Verify } from '../base/signing.ts';
import type { SignedResult } from '../store/results/signed-result.ts';
import { beginningOf, judgedText, MOST_WRONG_ANSWER } from './answer-text.ts';

/** Whoever answered: its key, or what stands for it, and what it said that it runs. */
export interface Answerer {
  miner: string;
  model: string;
  revision: string;
}

const SIGNATURE = hexPattern(64);
const TAG = 'quarry-result-1';
/** All that is signed of a result. The prompt is not in it: it comes out of the seed. */
const payloadSchema = z.strictObject({
  environment: z.string(),
  environmentVersion: z.string(),
  level: z.string(),
  seed: z.string(),
  challengeId: z.string(),
  miner: z.string(),
  model: z.string(),
  revision: z.string(),
  /** As it was judged: see {@link judgedText}; of one that is worth nothing the beginning. Null where none came. */
  answer: z.string().nullable(),
  /** Where only the beginning was kept: how much was judged, UTF-16 units. Results of before that have all of it, and not this. */
  answerLength: z.int().optional(),
  /** Of all of it, 64 hex; null where none came. */
  answerSha256: z.string().regex(hexPattern(32)).nullable(),
  score: z.number(),
  /** How right it is, where the score is not just that; else absent. */
  accuracy: z.number().optional(),
  reason: sayingSchema.nullable(),
  success: z.boolean(),
  /** Why no answer came; null where one did. */
  error: z.string().nullable(),
  /** How often it was asked. */
  attempts: z.int(),
  /** From being asked to the end of the answer, by the validator’s clock. */
  latencyMs: z.int(),
  /** To its first byte, by the same clock; absent where none came, or that was not looked at. */
  firstByteMs: z.int().optional(),
  /** The miner’s number on its subnet, and the block since which it is there. */
  uid: z.int().nullable(),
  block: z.int().nullable(),
  /** Unix milliseconds. */
  createdAt: z.int(),
  signer: z.string(),
});
export type ResultPayload = z.infer<typeof payloadSchema>;

/** A result before it is signed: with all of the answer, and how much of it is kept (see `Judgement`). */
export type Judged = Omit<ResultPayload, 'signer' | 'answerSha256' | 'answerLength'> & { keeps?: number | undefined };

/**
 * A result as it is kept. All of it is signed, where Affine signs the beginning of a text that many challenges share: no signature is good for another
 * result, and no figure can be changed behind it.
 */
export function signResult({ keeps, ...about }: Judged, signer: Signer): SignedResult {
  const { answer } = about;
  const whole: ResultPayload = {
    ...about,
    ...keptOf(about, keeps),
    answerSha256: answer === null ? null : sha256(answer).toString('hex'),
    signer: signer.id,
  };
  const payload = canonicalize(whole) as string;
  const { answer: _, answerLength: __, answerSha256: ___, ...most } = whole;
  const { reason: ____, accuracy: _____, firstByteMs: ______, ...columns } = most;
  const signature = signer.sign(signedBytes(payload));
  return { ...columns, payload, payloadSha256: sha256(payload).toString('hex'), signature };
}

/** All of what is worth something, since it is to be judged again, unless that is too much; the beginning of what is not. */
function keptOf({ answer, score }: Judged, keeps?: number): Pick<ResultPayload, 'answer' | 'answerLength'> {
  if (answer === null) return { answer };
  const judged = keeps === undefined ? judgedText(answer) : answer.toWellFormed();
  const all = score > 0 ? judged.length : MOST_WRONG_ANSWER;
  const kept = beginningOf(judged, keeps ?? all);
  return { answer: kept, ...(kept !== judged && { answerLength: judged.length }) };
}

const signedBytes = (payload: string) => Buffer.from(`${TAG}\n${payload}`, 'utf8');

/**
 * Looks whether a result is as its signer left it. Never throws.
 * @returns what was signed; undefined where the signature is another’s, or something was changed behind it
 */
export function readResult(result: SignedResult, verify: Verify): ResultPayload | undefined {
  if (sha256(result.payload).toString('hex') !== result.payloadSha256) return undefined;
  if (!SIGNATURE.test(result.signature)) return undefined; // what reads hex is content with more
  if (!verify(result.signer, signedBytes(result.payload), result.signature)) return undefined;
  const { data } = payloadSchema.safeParse(parsedJson(result.payload));
  const isSame = data && COLUMNS.every((column) => data[column] === result[column]);
  return isSame ? data : undefined;
}

/**
 * Whether a text is a result as it is signed, to the letter, and names one of these as its signer: what somebody who signs for a validator may sign
 * without having judged it. Never throws.
 */
export function isResultOf(signers: readonly string[], text: string): boolean {
  const begin = `${TAG}\n`;
  if (!text.startsWith(begin)) return false;
  const payload = text.slice(begin.length);
  const { data } = payloadSchema.safeParse(parsedJson(payload));
  return data !== undefined && signers.includes(data.signer) && canonical(data) === payload;
}

function canonical(payload: ResultPayload): string | undefined {
  try {
    return canonicalize(payload);
  } catch {
    return undefined; // a half character, which is never signed
  }
}

const COLUMNS = [
  ...(['environment', 'environmentVersion', 'challengeId', 'miner', 'model', 'revision'] as const),
  ...(['level', 'seed', 'score', 'success', 'error', 'attempts', 'latencyMs', 'uid', 'block'] as const),
  ...(['createdAt', 'signer'] as const),
] as const;
