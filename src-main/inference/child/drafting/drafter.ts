import type { Token } from 'node-llama-cpp';
import type { DraftCost } from '../../../../src-preload/contract/drafting.ts';
import type { DraftContext, Guess, Guesser, Piece } from './draft-context.ts';
import { type MeasureDraftCosts, measureDraftCosts } from './draft-costs.ts';
import type { DraftPlan } from './draft-plan.ts';

/** A sequence that decodes, whose next tokens may be guessed. */
export interface Guessed {
  /** Its number, the same as in the model's context. */
  sequence: number;
  task: {
    /** All that it says until now; the last was just chosen. */
    readonly tokens: readonly Token[];
    /** What it is computed with; undefined: the model as it is. Others say other things than the draft model knows. */
    readonly adapter?: object | undefined;
    /** Most tokens that are of use. Default: none. */
    readonly guessable?: number;
  };
}

export interface DrafterOptions {
  /** Of the draft model. */
  addon: DraftContext;
  sequences: number;
  /** Tokens that each has room for. */
  contextSize: number;
  plan: DraftPlan;
  /** Whether a guess is of no use: nothing comes after it, or the model has no such token. */
  isLast: (token: Token) => boolean;
  /** Told now and then, how good its guesses were. */
  onRates: () => void;
  /** Told once, where the draft model fails; from then on nothing is guessed. */
  onFailure: (error: unknown) => void;
}

/** What the draft model has evaluated of a sequence. */
interface Known {
  tokens: Token[];
  /** For whom it did, and how many of its first tokens are that task’s, too: a long text is compared once. */
  task: Guessed['task'] | undefined;
  agreed: number;
}

/** What the draft model reads before a round at most: a prompt of which it knows nothing yet must not keep the answers waiting. */
const PIECE = 64;
/** So many rounds with guesses are worth telling of. */
const TOLD_EVERY = 50;
/** It is sure of a token that it finds at least so likely. */
const SURE = 0.5;

/**
 * A much smaller model that guesses what a model says next, some tokens ahead: to see whether it would have said that costs the model hardly
 * more than its next token, where reading its weights is what takes the time. It knows each sequence as the model does, and reads what it has
 * missed when it is asked.
 */
export class Drafter {
  readonly plan: DraftPlan;
  readonly #options: DrafterOptions;
  readonly #guesser: Guesser;
  /** What it has evaluated, by sequence. */
  readonly #known: Known[];
  #failed = false;
  #rounds = 0;

  constructor(options: DrafterOptions) {
    this.#options = options;
    this.plan = options.plan;
    this.#guesser = options.addon.createGuesser();
    this.#known = Array.from({ length: options.sequences }, nothingKnown);
  }

  /**
   * @param all that decode together, in the order of their sequences
   * @returns guesses for each, as many for all: a batch is computed at once only where its sequences have as many tokens. Perhaps none. Never throws
   */
  async guess(all: readonly Guessed[]): Promise<Token[][]> {
    const none = all.map((): Token[] => []);
    if (this.#failed) return none;
    const most = Math.min(this.plan.guesses(all.length), ...all.map(({ task }) => this.#most(task)));
    if (most <= 0) return none;
    try {
      return (await this.#readOn(all)) ? await this.#guess(all, most) : none;
    } catch (error) {
      this.#fail(error);
      return none;
    }
  }

  #most({ tokens, adapter, guessable = 0 }: Guessed['task']): number {
    return adapter ? 0 : Math.min(guessable, this.#options.contextSize - tokens.length);
  }

  /** Measures what guessing for the model costs. What it knows of sequences is forgotten for it. @returns none where it fails, or is not wanted to its end */
  async measure(options: Pick<MeasureDraftCosts, 'model' | 'now' | 'isWanted'>): Promise<DraftCost[]> {
    if (this.#failed) return [];
    const { addon, sequences } = this.#options;
    for (const sequence of this.#known.keys()) {
      addon.clear(sequence);
      this.#known[sequence] = nothingKnown();
    }
    try {
      return await measureDraftCosts({ ...options, draft: addon, guesser: this.#guesser, sequences });
    } catch (error) {
      this.#fail(error);
      return [];
    }
  }

  #fail(error: unknown): void {
    this.#failed = true;
    this.#options.onFailure(error);
  }

  /** Reads a piece for the first that lacks more than that. @returns false where there was one */
  async #readOn(all: readonly Guessed[]): Promise<boolean> {
    const missing = all.map(({ sequence, task }) => this.#missing(sequence, task, []));
    const behind = missing.find(({ tokens }) => tokens.length > PIECE);
    if (!behind) return true;
    await this.#decode([{ ...behind, tokens: behind.tokens.slice(0, PIECE), logits: [] }]).done;
    return false;
  }

  async #guess(all: readonly Guessed[], most: number): Promise<Token[][]> {
    if (++this.#rounds % TOLD_EVERY === 0) this.#options.onRates();
    this.plan.begin();
    const guesses = all.map((): Token[] => []);
    for (let count = 0; count < most; count++) {
      const said = all.map(({ sequence, task }, index) => this.#missing(sequence, task, guesses[index] ?? []));
      const next = await this.#next(said);
      const goesOn = this.#isWorthIt(next);
      this.plan.asked(goesOn);
      if (!goesOn) break;
      for (const [index, { token }] of next.entries()) guesses[index]?.push(token);
    }
    return guesses;
  }

  /** What it thinks comes next, of each. */
  async #next(missing: readonly Piece[]): Promise<Guess[]> {
    const items = missing.map((item) => ({ ...item, logits: [item.tokens.length - 1] }));
    const { logits, done } = this.#decode(items);
    const next = logits.map(([index = -1]) => this.#guesser.guess(index));
    const [guesses] = await Promise.all([Promise.all(next), done]);
    return guesses;
  }

  /** Sure of half of them at least: all have as many. */
  #isWorthIt(next: readonly Guess[]): boolean {
    const sure = next.filter(({ probability }) => probability >= SURE);
    return sure.length * 2 >= next.length && !next.some(({ token }) => this.#options.isLast(token));
  }

  /** What it has not evaluated yet, the last token at least: only a batch has logits. What it has guessed wrong is forgotten. */
  #missing(sequence: number, task: Guessed['task'], guesses: readonly Token[]): Piece {
    const known = this.#known[sequence] ?? nothingKnown();
    this.#known[sequence] = known;
    const length = task.tokens.length + guesses.length;
    const at = (index: number) => task.tokens[index] ?? guesses[index - task.tokens.length];
    let common = known.task === task ? Math.min(known.agreed, known.tokens.length) : 0;
    while (common < Math.min(known.tokens.length, length) && known.tokens[common] === at(common)) common++;
    Object.assign(known, { task, agreed: Math.min(common, task.tokens.length) });
    this.#rewind(sequence, known, Math.min(common, length - 1));
    const position = known.tokens.length;
    const said = task.tokens.slice(position);
    return {
      sequence,
      position,
      tokens: [...said, ...guesses.slice(position + said.length - task.tokens.length)],
      logits: [],
    };
  }

  #rewind(sequence: number, { tokens }: Known, length: number): void {
    if (length >= tokens.length) return;
    const { addon } = this.#options;
    const kept = length > 0 && addon.truncate(sequence, length, tokens.length);
    if (!kept) addon.clear(sequence);
    tokens.length = kept ? length : 0;
  }

  #decode(items: readonly Piece[]) {
    const decoding = this.#options.addon.decode(items);
    for (const { sequence, tokens } of items) this.#known[sequence]?.tokens.push(...tokens);
    return decoding;
  }
}

function nothingKnown(): Known {
  return { tokens: [], task: undefined, agreed: 0 };
}
