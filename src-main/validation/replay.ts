import type { Saying } from '../../src-preload/contract/saying.ts';
import type { REPLAYS, STANDINGS } from '../../src-preload/contract/validator-results.ts';
import type { Verify } from '../base/signing.ts';
import type { SignedResult } from '../store/results/signed-result.ts';
import { type Challenge, pose } from './challenge.ts';
import type { Environment } from './environment.ts';
import { type ResultPayload, readResult } from './result.ts';

/** What there is to see of a result. */
export interface Seen {
  standing: (typeof STANDINGS)[number];
  /** What was signed; undefined where it is not believed. */
  signed: ResultPayload | undefined;
  /** What was asked; undefined where it cannot be posed again. */
  challenge: Challenge | undefined;
}

/** Looks whether a result is as its signer left it, and poses its challenge again. Nothing is judged. */
export async function see(
  result: SignedResult,
  environments: ReadonlyMap<string, Environment>,
  verify: Verify,
): Promise<Seen> {
  const signed = readResult(result, verify);
  if (!signed) return { standing: 'forged', signed, challenge: undefined };
  const { level, seed } = signed;
  const environment = environments.get(signed.environment);
  const isThere = environment?.version === signed.environmentVersion && environment.levels.includes(level);
  if (!environment || !isThere) return { standing: 'gone', signed, challenge: undefined };
  return { standing: 'genuine', signed, challenge: await pose(environment, level, seed) };
}

export interface Replay {
  verdict: (typeof REPLAYS)[number];
  /** Null where it cannot be posed again, or is not believed. */
  prompt: string | null;
  answer: string | null;
  /** How long the answer was, where only its beginning was kept; else null. UTF-16 units. */
  answerLength: number | null;
  /** As they were signed: see {@link ResultPayload}. */
  firstByteMs: number | null;
  accuracy: number | null;
  reason: Saying | null;
}

const FORGED: Replay = {
  ...{ verdict: 'forged', prompt: null, reason: null },
  ...{ answer: null, answerLength: null, firstByteMs: null, accuracy: null },
};

/** Poses the challenge of a result again, and judges the answer again, unless only its beginning was kept. */
export async function replay(
  result: SignedResult,
  environments: ReadonlyMap<string, Environment>,
  verify: Verify,
): Promise<Replay> {
  const { signed, challenge } = await see(result, environments, verify);
  if (!signed) return FORGED;
  const { answer, answerLength = null, firstByteMs = null, accuracy = null, reason } = signed;
  const kept = { answer, answerLength, firstByteMs, accuracy };
  if (!challenge) return { verdict: 'gone', prompt: null, ...kept, reason };
  const { id, prompt, judge } = challenge;
  if (id === signed.challengeId && answerLength !== null) return { verdict: 'cut', prompt, ...kept, reason };
  if (id !== signed.challengeId) return { verdict: 'otherwise', prompt, ...kept, reason };
  const now = answer === null ? { score: 0, reason } : await judge(answer, { latencyMs: signed.latencyMs });
  return { verdict: now.score === signed.score ? 'same' : 'otherwise', prompt, ...kept, reason: now.reason };
}
