import type { EvaluationAnswerRow } from '../../../store/evaluations.ts';
import { BONUS_KINDS, type BonusKind, bonusOf, COUNTED, compositeOf, PARTS, type Part } from '../reward/composite.ts';
import { areConsistent } from '../reward/consistency.ts';
import { rewardOf } from '../reward/context-multiplier.ts';
import type { MeasuredPart, Scores } from '../reward/explain.ts';
import { coherenceOf } from '../reward/measured.ts';
import { Mean, meanOf } from './mean.ts';
import { ScalingTimes } from './scaling-times.ts';
import { bonusKindOf, HIDDEN, PLACES, SUMMARIES } from './what-suites-show.ts';

/** Positions are asked for in so many parts of the text, and each part counts as much as the others. */
const FIFTHS = 5;

/**
 * QUASAR’s scores out of the answers of an evaluation, which come in the order of asking. What was not answered does not count: there was no room for it. What no answer
 * shows is not measured, and has no value.
 */
export class ScoreTally {
  readonly #isTwice: boolean;
  #unanswered = 0;
  readonly #accuracy = new Mean();
  readonly #reward = new Mean();
  #multiplier = 1;
  readonly #memory = new Mean();
  readonly #fifths = Array.from({ length: FIFTHS }, () => new Mean());
  readonly #coherence = new Mean();
  readonly #coherentTokens = new Mean();
  readonly #said = { answers: 0, tokens: 0, ms: 0 };
  readonly #times = new ScalingTimes();
  readonly #consistent = new Mean();
  readonly #kinds = new Map<BonusKind, number>();
  #before: EvaluationAnswerRow | undefined;

  /** @param isTwice whether each question of a made text was asked a second time, put a little differently */
  constructor(isTwice: boolean) {
    this.#isTwice = isTwice;
  }

  add(row: EvaluationAnswerRow): void {
    if (row.answer === null) {
      this.#unanswered++;
      return;
    }
    this.#addRight(row, row.answer);
    this.#addTimes(row);
    if (this.#isTwice) this.#addPair(row, row.answer);
    const kind = bonusKindOf(row.suite);
    if (kind) this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    this.#before = row;
  }

  #addRight({ suite, score, depth, ...row }: EvaluationAnswerRow, answer: string): void {
    // What whoever answers says of the length makes it no longer than what was asked: that may have been a file with less in it.
    const tokens = Math.min(row.length, row.prompt_tokens ?? row.length);
    const { reward, multiplier } = rewardOf(score, tokens);
    this.#accuracy.add(score);
    this.#reward.add(reward);
    this.#multiplier = Math.max(this.#multiplier, multiplier);
    const isRight = score === 1 ? 1 : 0;
    if (HIDDEN.has(suite)) this.#memory.add(isRight);
    if (PLACES.has(suite) && depth !== null)
      this.#fifths[Math.min(FIFTHS - 1, Math.floor(depth * FIFTHS))]?.add(isRight);
    if (SUMMARIES.has(suite)) {
      this.#coherence.add(coherenceOf(answer, score));
      this.#coherentTokens.add(tokens);
    }
  }

  #addTimes(row: EvaluationAnswerRow): void {
    this.#times.add(row);
    // The others would be answered faster than anybody reads.
    if (row.question !== 0 || row.answer_tokens === null || row.total_ms === null) return;
    this.#said.answers++;
    this.#said.tokens += row.answer_tokens;
    this.#said.ms += row.total_ms;
  }

  /** A question and its second asking are next to each other. */
  #addPair({ text, question }: EvaluationAnswerRow, answer: string): void {
    const before = this.#before;
    if (question % 2 === 0 || before?.text !== text || before.question !== question - 1) return;
    this.#consistent.add(areConsistent(before.answer ?? '', answer) ? 1 : 0);
  }

  get scores(): Scores {
    const measured = this.#measured();
    return {
      ...{ answered: this.#accuracy.count, unanswered: this.#unanswered },
      ...{ accuracy: this.#accuracy.value, reward: this.#reward.value, multiplier: this.#multiplier },
      measured,
      composite: this.#composite(measured),
      consistency: this.#consistent.value,
      pairs: this.#consistent.count,
    };
  }

  #measured(): Partial<Record<Part, MeasuredPart>> {
    const { scaling } = this.#times;
    const { answers, tokens, ms } = this.#said;
    const memory = this.#memory.value;
    const position = meanOf(this.#fifths);
    const [coherence, length] = [this.#coherence.value, this.#coherentTokens.value ?? 0];
    const speed = ms > 0 ? (1_000 * tokens) / ms : null;
    return {
      ...(memory !== null && { memory: part(memory, COUNTED.memory(memory), this.#memory.count) }),
      ...(position !== null && {
        position: part(
          position,
          COUNTED.position(position),
          this.#fifths.reduce((sum, { count }) => sum + count, 0),
        ),
      }),
      ...(coherence !== null && {
        coherence: part(coherence, COUNTED.coherence(coherence, length), this.#coherence.count),
      }),
      ...(speed !== null && { speed: part(speed, COUNTED.speed(speed), answers) }),
      ...(scaling && {
        scaling: {
          ...part(scaling.value, COUNTED.scaling(scaling.value, scaling.longest / scaling.shortest), 0),
          lengths: [scaling.shortest, scaling.longest],
        },
      }),
    };
  }

  #composite({ memory, position, coherence, speed, scaling }: Scores['measured']): Scores['composite'] {
    if (!memory || !position || !coherence || !speed || !scaling) return null;
    const all = { memory, position, coherence, speed, scaling };
    const each = (of: (one: MeasuredPart) => number) =>
      Object.fromEntries(PARTS.map((name) => [name, of(all[name])])) as Record<Part, number>;
    const shares = Object.fromEntries(
      BONUS_KINDS.map((kind) => [kind, (this.#kinds.get(kind) ?? 0) / this.#accuracy.count]),
    ) as Record<BonusKind, number>;
    const bonus = bonusOf(
      each(({ value }) => value),
      shares,
    );
    return {
      bonus,
      total: compositeOf(
        each(({ counted }) => counted),
        bonus,
      ),
    };
  }
}

const part = (value: number, counted: number, answers: number): MeasuredPart => ({ value, counted, answers });
