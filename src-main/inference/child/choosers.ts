import type { Token } from 'node-llama-cpp';
import type { TokenLogprobs } from '../backend.ts';
import { EVIDENCE_TOP, type TokenEvidence } from '../evidence.ts';
import { chosenToken, REPEAT_WINDOW, type TokenChance, type VerifiedSampling } from '../verified/choice.ts';
import type { Sampler } from './loop/addon.ts';
import type { LogprobReader } from './vocabulary.ts';

/** Chooses the tokens of an answer, one after the other. */
export interface TokenChooser {
  /** Of those that were chosen; undefined where nobody asked for it. */
  readonly evidence?: TokenEvidence[];
  /** @param index where the position's logits lie in the last batch */
  choose(index: number): Promise<Token>;
  /** Log-probabilities of what was just chosen, where they are wanted. */
  known(index: number, token: Token): Promise<TokenLogprobs | undefined>;
  /** Call only when nothing of it is under way. */
  dispose(): void;
}

/** As llama.cpp chooses. */
export function sampledChooser(sampler: Sampler, logprobs: LogprobReader | undefined): TokenChooser {
  return {
    choose: (index) => sampler.sample(index),
    known: async (index, token) => await logprobs?.read(index, token),
    dispose() {
      sampler.dispose();
      logprobs?.dispose();
    },
  };
}

export interface VerifiedChooserOptions {
  sampling: VerifiedSampling;
  prompt: readonly Token[];
  /** Reads as many of the likeliest as are wanted for a choice, and for evidence. */
  reader: LogprobReader;
  /** So many of the likeliest tokens come with each piece of the answer; undefined: none, and no log-probabilities. */
  topLogprobs: number | undefined;
}

/** So that others who have the model can choose again, and see that it was this one which wrote the answer. */
export class VerifiedChooser implements TokenChooser {
  readonly evidence: TokenEvidence[] = [];
  readonly #options: VerifiedChooserOptions;
  readonly #said: number[];
  #last: { chosen: TokenChance; top: readonly TokenChance[] } | undefined;

  constructor(options: VerifiedChooserOptions) {
    this.#options = options;
    this.#said = options.prompt.slice(-REPEAT_WINDOW);
  }

  async choose(index: number): Promise<Token> {
    const { sampling, reader } = this.#options;
    const top = await reader.readTop(index);
    const id = chosenToken(top, sampling, this.evidence.length, this.#said);
    const chosen = top.find((each) => each.id === id);
    if (!chosen) throw new Error(`token ${id} was not among those to choose from`);
    this.#said.push(id);
    this.#last = { chosen, top };
    this.evidence.push({ ...chosen, top: top.slice(0, EVIDENCE_TOP).map((each) => [each.id, each.logprob]) });
    return id as Token;
  }

  async known(): Promise<TokenLogprobs | undefined> {
    const { reader, topLogprobs } = this.#options;
    if (topLogprobs === undefined || !this.#last) return undefined;
    const { chosen, top } = this.#last;
    return { ...reader.named(chosen), top: top.slice(0, topLogprobs).map((each) => reader.named(each)) };
  }

  dispose(): void {
    this.#options.reader.dispose();
  }
}
