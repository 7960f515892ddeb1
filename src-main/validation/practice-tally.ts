import type { PracticeTally } from '../../src-preload/contract/validator.ts';
import { median } from '../base/median.ts';
import { shareInterval } from './interval.ts';
import type { Practised } from './practice.ts';

/** How a model does in each environment, as its answers come in. */
export class PracticeTallies {
  readonly #environments = new Map<string, { level: string; scores: number[]; times: number[] }>();

  add({ challenge: { environment, level }, score, said }: Practised): void {
    const tally = this.#environments.get(environment) ?? { level, scores: [], times: [] };
    tally.scores.push(score);
    if (said) tally.times.push(said.ms);
    this.#environments.set(environment, tally);
  }

  /** In the order in which they were asked first. */
  read(): PracticeTally[] {
    return [...this.#environments].map(([environment, { level, scores, times }]) => {
      const score = scores.reduce((sum, one) => sum + one, 0);
      const asked = scores.length;
      return {
        environment,
        level,
        asked,
        score,
        ...shareInterval(score, asked),
        medianMs: times.length > 0 ? median(times) : 0,
      };
    });
  }
}
