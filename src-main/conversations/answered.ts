import type { Answered, Turn } from '../../src-preload/contract/conversations.ts';

type Answer = NonNullable<Turn['answer']>;

/** How the models that answered did: whole answers only, those that gave the newest first. */
export function answeredLately(answers: readonly Answer[]): Answered[] {
  const whole = answers.filter(({ state, tokens, model }) => state === 'done' && tokens > 0 && model !== null);
  const groups = Map.groupBy(whole, ({ target, model }) => `${target} ${model}`);
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [middleOf([first, ...others], first)] : []));
}

function middleOf(answers: readonly Answer[], { target, model }: Answer): Answered {
  return {
    target,
    model: model ?? '',
    answers: answers.length,
    tokens: median(answers.map(({ tokens }) => tokens)),
    firstTokenMs: median(answers.map(({ firstTokenMs }) => firstTokenMs ?? 0)),
    tokensPerSecond: median(answers.map(({ tokensPerSecond }) => tokensPerSecond ?? 0).filter((speed) => speed > 0)),
  };
}

/** 0 of nothing. */
function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
