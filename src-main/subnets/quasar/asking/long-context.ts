import { say } from '../../../../src-preload/contract/saying.ts';
import { withoutThoughts } from '../../../validation/answer-text.ts';
import { type Environment, type Judgement, wrong } from '../../../validation/environment.ts';
import { METRICS, scoreBy } from '../metrics/metrics.ts';
import { rewardOf } from '../reward/context-multiplier.ts';
import { type ContextTask, type MadeTasks, questionBelow } from '../tasks/context-task.ts';
import { anchors } from '../tasks/made/anchors.ts';
import { needle, needles, scaling } from '../tasks/made/needles.ts';
import { patterns } from '../tasks/made/patterns.ts';
import { twoHop } from '../tasks/made/two-hop.ts';

/**
 * By QUASAR’s own rough count, a word has 1.3 tokens. The tokenizer of whoever is asked is not known here; and a text that was measured by one could not be made again
 * without it, years later.
 */
const TOKENS_PER_WORD = 1.3;

/**
 * Tokens of a text, about. The longest one is that of QUASAR’s second class; those of the third and above would have more bytes than a request may have, on the mesh or to
 * an axon (1 MiB).
 */
const LENGTHS = { '1k': 1_000, '2k': 2_000, '4k': 4_000, '8k': 8_000, '16k': 16_000, '32k': 32_000 } as const;
const LONG = { '64k': 64_000, '124k': 124_000 } as const;
const TOKENS: Readonly<Record<string, number>> = { ...LENGTHS, ...LONG };
/** One of the lengths that a home computer has room for, drawn anew each time. */
const MIXED = 'mixed';

/** Far more than any right answer has, UTF-16 units. Whoever says half the text again has the answer in it, too, and has found nothing. */
const MOST_SAID = 500;

interface LongTask {
  task: ContextTask;
  /** Of the context, about. */
  tokens: number;
}

/** What miners of QUASAR are asked about long texts, by name: `quasar-needle`. */
export function longContextEnvironments(): ReadonlyMap<string, Environment> {
  const all = [needle, needles, twoHop, anchors, patterns, scaling].map(environmentOf);
  return new Map(all.map((environment) => [environment.name, environment as Environment]));
}

/** How many tokens a text has, about. */
export function roughTokens(text: string): number {
  let words = 1;
  for (const gaps = /\s+/g; gaps.test(text); ) words++; // a list of them takes a long text's memory many times
  return Math.floor(words * TOKENS_PER_WORD);
}

function environmentOf({ name, version, variants, make }: MadeTasks): Environment<LongTask, Judgement> {
  return {
    name: `quasar-${name}`,
    version: `1.${version}`,
    levels: ['4k', ...Object.keys(TOKENS).filter((level) => level !== '4k'), MIXED],

    pose(random, level) {
      const tokens = TOKENS[level] ?? random.pick(Object.values(LENGTHS));
      const tasks = make(random, random.pick(variants), Math.round(tokens / TOKENS_PER_WORD));
      return { task: random.pick(tasks), tokens };
    },

    prompt: ({ task }) => task.prompt,

    ask: ({ task }) => ({
      kind: 'longText',
      text: { dataset: task.dataset, context: task.context, question: questionBelow(task) },
    }),

    judge: ({ task, tokens }, answer) => judged(task, tokens, withoutThoughts(answer).trim()),
  };
}

/** The metric of the task says how right an answer is; what that is worth goes by the length of the text. */
function judged({ metric, expected }: ContextTask, tokens: number, answer: string): Judgement {
  if (answer.length > MOST_SAID) {
    return { ...wrong(say('quasar.asked.wordy', { length: answer.length, most: MOST_SAID })), accuracy: 0 };
  }
  const { accuracy, multiplier, reward } = rewardOf(scoreBy(metric, answer, expected), tokens);
  const of = { percent: percent(accuracy), metric: METRICS[metric].name, tokens };
  const reason =
    multiplier === 1
      ? say('quasar.asked.judged', of)
      : say('quasar.asked.multiplied', { ...of, multiplier, reward: percent(reward) });
  return { score: reward, accuracy, reason };
}

const percent = (share: number) => Math.round(share * 1_000) / 10;
