import { type DraftCost, type DraftRates, MOST_GUESSES } from '../../../../src-preload/contract/drafting.ts';

/** What is taken for granted of a pair that was never seen: so many times, in this share of which the guess was sure, and right. */
const BEFORE = 10;
const USUAL = 0.75;
/** What a round with guesses leaves of what was seen before it. */
const KEPT = 0.998;
/** For so many rounds nothing is guessed where it did not pay; then half of what was seen is forgotten, and it is tried again: of what a pair knows, much depends on what it is asked. */
const PAUSE = 1_000;
/** What is measured is off by a few per cent. */
const LEAST_GAIN = 1.05;

const NOTHING: DraftRates = { sure: 0, unsure: 0, accepted: 0, rejected: 0 };

/** How far to guess ahead: as far as gives most tokens in the least time, by what was measured here and by how often the guesses were right lately. */
export class DraftPlan {
  #costs: readonly DraftCost[] = [];
  #rates: DraftRates = NOTHING;
  #pause = 0;

  /**
   * @param costs measured with this pair on this machine; none: nothing is guessed
   * @param rates as seen before. Default: nothing was seen
   */
  use(costs: readonly DraftCost[], rates: DraftRates = NOTHING): void {
    this.#costs = costs;
    this.#rates = rates;
    this.#pause = 0;
  }

  get rates(): DraftRates {
    return this.#rates;
  }

  /** How many times as fast answers are written as without guesses, for so many at once; 1 where nothing is guessed. */
  gain(sequences: number): number {
    return this.#pause > 0 ? 1 : this.#best(sequences, this.#rates).gain;
  }

  /** How many tokens to guess for each of so many that decode together. To be asked once a round. */
  guesses(sequences: number): number {
    if (this.#pause > 0) {
      this.#pause--;
      return 0;
    }
    const { guesses } = this.#best(sequences, this.#rates);
    if (guesses === 0 && this.#best(sequences, NOTHING).guesses > 0) this.#giveUp();
    return guesses;
  }

  /** A round with guesses begins: what was seen before it counts a little less. */
  begin(): void {
    this.#rates = scaled(this.#rates, KEPT);
  }

  /** It is the guesses that are bad, not what they cost. */
  #giveUp(): void {
    this.#pause = PAUSE;
    this.#rates = scaled(this.#rates, 0.5);
  }

  /** The draft model was asked for a token. */
  asked(sure: boolean): void {
    this.#rates = { ...this.#rates, [sure ? 'sure' : 'unsure']: this.#rates[sure ? 'sure' : 'unsure'] + 1 };
  }

  /** @param offered tokens that were guessed for one sequence @param accepted how many of them the model chose too */
  learn(offered: number, accepted: number): void {
    const { accepted: before, rejected } = this.#rates;
    this.#rates = {
      ...this.#rates,
      accepted: before + accepted,
      rejected: rejected + (accepted < offered ? 1 : 0),
    };
  }

  #best(sequences: number, rates: DraftRates): { guesses: number; gain: number } {
    const cost = this.#costs.find((each) => each.sequences === sequences);
    const ways = Array.from({ length: cost ? MOST_GUESSES : 0 }, (_, index) => index + 1).map((guesses) => ({
      guesses,
      gain: cost ? expectedGain(cost, rates, guesses) : 1,
    }));
    return ways.reduce((best, way) => (way.gain > Math.max(best.gain, LEAST_GAIN) ? way : best), {
      guesses: 0,
      gain: 1,
    });
  }
}

/**
 * How many times as many tokens a millisecond as without guesses, where up to so many are guessed. The draft model stops at the first token
 * that it is not sure of; the model keeps what comes before the first that it would not have chosen, and has one of its own after them.
 */
export function expectedGain(cost: DraftCost, rates: DraftRates, guesses: number): number {
  const sure = shareOf(rates.sure, rates.unsure);
  const right = shareOf(rates.accepted, rates.rejected);
  let tokens = 1;
  let ms = 0;
  for (let guessed = 0; guessed < guesses; guessed++) {
    const offered = sure ** guessed;
    tokens += (sure * right) ** (guessed + 1);
    ms += offered * (cost.guessMs + (1 - sure) * batchMs(cost, 1 + guessed));
  }
  ms += sure ** guesses * batchMs(cost, 1 + guesses);
  return (tokens * batchMs(cost, 1)) / ms;
}

function scaled({ sure, unsure, accepted, rejected }: DraftRates, by: number): DraftRates {
  return { sure: sure * by, unsure: unsure * by, accepted: accepted * by, rejected: rejected * by };
}

function shareOf(times: number, others: number): number {
  return (times + BEFORE * USUAL) / (times + others + BEFORE);
}

/** Between what was measured, a line; beyond it, nothing is known to pay. */
function batchMs({ batches }: DraftCost, tokens: number): number {
  const above = batches.find((each) => each.tokens >= tokens);
  const below = batches.findLast((each) => each.tokens <= tokens);
  if (!above || !below) return Number.POSITIVE_INFINITY;
  if (above === below) return above.ms;
  return below.ms + ((above.ms - below.ms) * (tokens - below.tokens)) / (above.tokens - below.tokens);
}
