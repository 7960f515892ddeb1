import { gumbelNoise } from './gumbel.ts';

/** A token and its natural-log probability under the model itself. */
export interface TokenChance {
  id: number;
  logprob: number;
}

/** How tokens are chosen. All of it is part of what was asked for. */
export interface VerifiedSampling {
  /** 0: always the likeliest. */
  temperature: number;
  /** 1 switches it off. */
  topP: number;
  /** 0: as many as there are. */
  topK: number;
  /** 1 switches it off. */
  repeatPenalty: number;
  /** 0 to 2³² − 1. */
  seed: number;
}

/** Always the likeliest, with nothing in the way. */
export const GREEDY: VerifiedSampling = { temperature: 0, topP: 1, topK: 0, repeatPenalty: 1, seed: 0 };

/** Only the likeliest tokens are ever chosen from: whoever checks a choice reads as many. */
export const MOST_CANDIDATES = 100;
/** How many of the latest tokens the repeat penalty looks at: llama-server's default. */
export const REPEAT_WINDOW = 64;

/**
 * Nats by which a token may be less likely than the likeliest and still pass for it. Two honest machines part at a near tie, and a text that repeats itself has the same one over and
 * over: of 88 tokens that honest probes chose otherwise than they read, 86 were within this (docs/audits.md). For weights that are not quantised it is twice what QUASAR (A8) lets a logit be off.
 */
export const NEAR_TIE = 0.2;

/** How many of the likeliest tokens have to be known so that the choice is that of {@link MOST_CANDIDATES}. */
export function candidatesWanted({ topK, repeatPenalty }: VerifiedSampling): number {
  return topK > 0 && repeatPenalty === 1 ? Math.min(topK, MOST_CANDIDATES) : MOST_CANDIDATES;
}

/**
 * Which token is chosen, by Gumbel-max: whoever knows the same log-probabilities and the seed chooses the same.
 *
 * In this order: the repeat penalty multiplies the log-probability of what was said lately; the `topK` likeliest are kept, then the fewest of them that have
 * `topP` of their probability; of log-probability ÷ temperature + noise the largest is taken.
 * @param top the likeliest tokens, best first: {@link candidatesWanted} or more
 * @param place 0 for the first token of the answer
 * @param said tokens of prompt and answer so far, the last {@link REPEAT_WINDOW} or more
 */
export function chosenToken(
  top: readonly TokenChance[],
  { temperature, topP, topK, repeatPenalty, seed }: VerifiedSampling,
  place: number,
  said: readonly number[],
): number {
  const kept = nucleus(penalised(top, repeatPenalty, said).slice(0, topK || MOST_CANDIDATES), topP);
  const [best] = kept;
  if (!best) throw new Error('There is no token to choose from.');
  if (temperature === 0) return best.id;
  let chosen = best.id;
  let largest = Number.NEGATIVE_INFINITY;
  for (const { id, logprob } of kept) {
    const drawn = logprob / temperature + gumbelNoise(seed, place, id);
    if (drawn <= largest) continue;
    largest = drawn;
    chosen = id;
  }
  return chosen;
}

/** Whether it is what {@link chosenToken} chooses, or, at temperature 0, within {@link NEAR_TIE} of that. */
export function mayBeChosen(
  id: number,
  top: readonly TokenChance[],
  sampling: VerifiedSampling,
  place: number,
  said: readonly number[],
): boolean {
  if (sampling.temperature > 0) return chosenToken(top, sampling, place, said) === id;
  const chances = penalised(top, sampling.repeatPenalty, said);
  const [best, own] = [chances[0], chances.find((chance) => chance.id === id)];
  if (best === undefined || own === undefined) return false;
  return own.id === best.id || best.logprob - own.logprob <= NEAR_TIE;
}

/** Best first again. */
function penalised(top: readonly TokenChance[], penalty: number, said: readonly number[]): readonly TokenChance[] {
  if (penalty === 1) return top;
  const recent = new Set(said.slice(-REPEAT_WINDOW));
  const changed = top.map(({ id, logprob }) => ({ id, logprob: recent.has(id) ? logprob * penalty : logprob }));
  return changed.sort((one, other) => other.logprob - one.logprob);
}

function nucleus(top: readonly TokenChance[], topP: number): readonly TokenChance[] {
  if (topP >= 1) return top;
  const weights = top.map(({ logprob }) => Math.exp(logprob));
  const enough = topP * weights.reduce((sum, weight) => sum + weight, 0);
  let count = 0;
  for (let sum = 0; sum < enough && count < weights.length; count++) sum += weights[count] ?? 0;
  return top.slice(0, Math.max(1, count));
}
