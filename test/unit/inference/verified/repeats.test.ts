import { describe, expect, it } from 'vitest';
import type { TokenEvidence } from '../../../../src-main/inference/evidence.ts';
import { addAudits, auditTokens, type OwnView } from '../../../../src-main/inference/verified/audit.ts';
import {
  chosenToken,
  MOST_CANDIDATES,
  REPEAT_WINDOW,
  type TokenChance,
  type VerifiedSampling,
} from '../../../../src-main/inference/verified/choice.ts';

/** Always the likeliest: so that the penalty alone decides. */
const GREEDY: VerifiedSampling = { temperature: 0, topP: 1, topK: 0, repeatPenalty: 3, seed: 1 };
const chances = (...logprobs: number[]): TokenChance[] => logprobs.map((logprob, id) => ({ id, logprob }));

describe('a token that was said lately', () => {
  const top = chances(-0.5, -1, -3);

  it('is passed over for as long as the window, and no longer', () => {
    const others = Array.from({ length: REPEAT_WINDOW - 1 }, () => 99);
    expect(chosenToken(top, GREEDY, 0, [0, ...others])).toBe(1);
    expect(chosenToken(top, GREEDY, 0, [0, 99, ...others])).toBe(0);
  });

  it('falls behind those that are likelier than it is now, before any of them are left out', () => {
    expect(chosenToken(top, { ...GREEDY, topK: 1 }, 0, [0])).toBe(1);
    // Half of the probability that is left is that of the second and third together.
    const [drawn, all] = [new Set<number>(), chances(-0.1, -2, -2, -2)];
    for (let place = 0; place < 200; place++) {
      drawn.add(chosenToken(all, { ...GREEDY, temperature: 1, topP: 0.5, repeatPenalty: 100 }, place, [0]));
    }
    expect([...drawn].toSorted()).toEqual([1, 2]);
  });

  it('is one of a hundred candidates, whatever else is known', () => {
    const many = Array.from({ length: MOST_CANDIDATES + 50 }, (_, id) => ({ id, logprob: -5 - id / 1_000 }));
    const free = { ...GREEDY, temperature: 1, repeatPenalty: 1 };
    const drawn = Array.from({ length: 2_000 }, (_, place) => chosenToken(many, free, place, []));
    expect(Math.max(...drawn)).toBe(MOST_CANDIDATES - 1);
  });
});

describe('an audit of an answer with a repeat penalty', () => {
  /** Of four tokens, each always as likely: what is said goes by what was said before, alone. */
  const view: OwnView = { logprob: -1, top: chances(-1, -1.1, -1.2, -1.3) };
  const answer = (prompt: readonly number[], length: number): TokenEvidence[] => {
    const said = [...prompt];
    return Array.from({ length }, (_, place) => {
      const id = chosenToken(view.top, GREEDY, place, said);
      said.push(id);
      return { id, logprob: -1, top: view.top.map((each) => [each.id, each.logprob]) };
    });
  };
  const mismatches = (prompt: readonly number[], evidence: readonly TokenEvidence[]) => {
    const own = evidence.map(() => view);
    return addAudits(auditTokens({ prompt, sampling: GREEDY, evidence, own })).mismatches;
  };

  it('goes by the prompt and by all tokens before', () => {
    const honest = answer([0, 1], 4);
    expect(honest.map(({ id }) => id)).toEqual([2, 3, 0, 0]);
    expect(mismatches([0, 1], honest)).toBe(0);
    expect(mismatches([], honest)).toBeGreaterThan(0);
    // Whoever leaves the penalty out says the likeliest again and again.
    expect(
      mismatches(
        [],
        Array.from({ length: 3 }, () => ({ ...honest[2], id: 0 }) as TokenEvidence),
      ),
    ).toBe(2);
  });

  it('needs no more of a long prompt than its end', () => {
    const prompt = [0, 1, ...Array.from({ length: REPEAT_WINDOW }, () => 99)];
    expect(answer(prompt, 1)[0]?.id).toBe(0);
    expect(mismatches(prompt, answer(prompt, 8))).toBe(0);
  });
});
