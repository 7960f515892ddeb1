import { describe, expect, it } from 'vitest';
import type { EvaluationAnswerRow } from '../../../../../src-main/store/evaluations.ts';
import {
  type Answered,
  askAll,
  type EvaluationRunOptions,
  type Examinee,
} from '../../../../../src-main/subnets/quasar/evaluation/evaluation-run.ts';
import { drawsOf, type PlannedText, plannedTexts } from '../../../../../src-main/subnets/quasar/evaluation/plan.ts';
import type { Suite } from '../../../../../src-main/subnets/quasar/evaluation/suite.ts';
import type { ContextTask } from '../../../../../src-main/subnets/quasar/tasks/context-task.ts';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';

const PLAN = { suites: ['made'], lengths: [100], samples: 3, seed: 'a' };
const TEXTS = [0, 1, 2].map((sample): PlannedText => ({ suite: 'made', variant: 'v', length: 100, sample }));
const tooLong = () => new QuarryError({ code: 'CONTEXT_TOO_LONG', message: 'no room' });
const TASK: Omit<ContextTask, 'prompt'> = {
  ...{ dataset: 'made', variant: 'v', context: 'text', expected: ['right'], metric: 'exact-match', answerTokens: 9 },
};

/** Two questions about each text. */
function suite(changes: Partial<ContextTask> = {}, pose?: () => void): Suite {
  return {
    ...{ name: 'made', version: '1', variants: ['v'] },
    async pose(draws) {
      pose?.();
      const number = draws().below(1_000_000);
      const tasks = [0, 1].map((at) => ({ ...TASK, prompt: `text ${number}, question ${at}`, ...changes }));
      return { tasks, words: 50 };
    },
  };
}

const said = (text: string): Answered => ({
  ...{ text, firstMs: 1, totalMs: 2, promptTokens: null, cachedTokens: null, answerTokens: null },
});

/** What was written down before, and what is now. */
function run(options: Partial<EvaluationRunOptions> & { ask?: () => Promise<Answered> | Answered } = {}) {
  const rows: EvaluationAnswerRow[] = [];
  const events: string[] = [];
  const { ask = () => said('right'), ...more } = options;
  let asked = 0;
  const examinee: Examinee = {
    ...{ room: null, count: async (text: string) => text.length },
    async ask() {
      asked++;
      return await ask();
    },
  };
  const store = {
    answered: async (row: EvaluationAnswerRow) => {
      events.push(`kept ${row.text} ${row.question}`);
      rows.push(row);
    },
    questionsOf: async (_: string, text: number) =>
      new Set(rows.filter((row) => row.text === text).map(({ question }) => question)),
  };
  const askWith = (also: Partial<EvaluationRunOptions> = {}) =>
    askAll({
      ...{ id: 'one', plan: PLAN, texts: TEXTS, done: 0, suites: new Map([['made', suite()]]), tooLong: new Map() },
      ...{ examinee, store, signal: new AbortController().signal, now: () => 5 },
      onText: async (done) => void events.push(`done ${done}`),
      onAnswer: ({ text, question }) => events.push(`told ${text} ${question}`),
      ...{ ...more, ...also },
    });
  return { rows, events, askWith, asked: () => asked };
}

describe('an evaluation', () => {
  it('writes each answer down before it tells of it, and asks on', async () => {
    const { events, askWith } = run({ texts: TEXTS.slice(0, 1) });
    await askWith();
    expect(events).toEqual(['kept 0 0', 'told 0 0', 'kept 0 1', 'told 0 1', 'done 1']);
  });

  it('judges as the question says: by its metric, its right answers, and its first line alone', async () => {
    const ask = () => said('right\nor not');
    for (const [firstLine, score] of [
      [false, 0],
      [true, 1],
    ] as const) {
      const { rows, askWith } = run({ ask, suites: new Map([['made', suite({ firstLine })]]) });
      await askWith();
      expect(rows).toHaveLength(6);
      for (const row of rows) expect(row).toMatchObject({ score, words: 50, at: 5, suite: 'made', length: 100 });
    }
  });

  it('keeps the beginning of what is long, and judges all of it', async () => {
    const { rows, askWith } = run({ ask: () => said('word '.repeat(3_000)) });
    await askWith({ suites: new Map([['made', suite({ expected: ['word '.repeat(3_000)] })]]) });
    expect(rows[0]?.score).toBe(1);
    expect(rows[0]?.answer?.length).toBeLessThanOrEqual(2_000);
    expect(rows[0]?.answer?.length).toBeGreaterThan(1_900);
  });

  it('asks nothing twice that was killed after any answer, and makes no text that is done', async () => {
    for (let answers = 0; answers < 6; answers++) {
      let left = answers;
      let made = 0;
      const ask = () => {
        if (left-- === 0) throw new Error('killed');
        return said('right');
      };
      const { rows, askWith, asked } = run({ ask });
      const suites = new Map([['made', suite({}, () => made++)]]);
      let done = 0;
      const onText = async (count: number) => {
        done = count;
      };
      await expect(askWith({ suites, onText })).rejects.toThrow('killed');
      made = 0;
      await askWith({ suites, onText, done });
      expect(rows.map(({ text, question }) => [text, question])).toEqual([
        ...[0, 1, 2].flatMap((text) => [
          [text, 0],
          [text, 1],
        ]),
      ]);
      expect(asked()).toBe(6 + 1); // the one that was given up
      expect(made).toBe(3 - Math.floor(answers / 2));
    }
  });

  it('notes a text that nobody has room for once, also where it was killed right after that', async () => {
    const { rows, askWith, asked } = run({ tooLong: new Map([[100, tooLong()]]) });
    const killed = async () => {
      throw new Error('killed');
    };
    await expect(askWith({ onText: killed })).rejects.toThrow('killed');
    await askWith();
    expect(rows.map(({ text, question, words, score }) => [text, question, words, score])).toEqual([
      [0, -1, null, 0],
      [1, -1, null, 0],
      [2, -1, null, 0],
    ]);
    expect(asked()).toBe(0);
  });

  it('takes nothing else for a want of room: that would be a wrong answer for good', async () => {
    const away = new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: 'away' });
    const { rows, askWith } = run({
      ask: () => {
        throw away;
      },
    });
    await expect(askWith()).rejects.toBe(away);
    const posing = suite({}, () => {
      throw away;
    });
    await expect(askWith({ suites: new Map([['made', posing]]) })).rejects.toBe(away);
    expect(rows).toEqual([]);
  });

  it('makes no other text once it is ended', async () => {
    const stop = new AbortController();
    const { events, askWith } = run({ signal: stop.signal, onText: async () => stop.abort(new Error('paused')) });
    await expect(askWith()).rejects.toThrow('paused');
    expect(events).toEqual(['kept 0 0', 'told 0 0', 'kept 0 1', 'told 0 1']);
  });
});

describe('a plan', () => {
  it('has the short texts first, one of each kind before the second, and nothing twice', () => {
    const plan = { suites: ['one', 'two', 'one'], lengths: [200, 100, 200], samples: 2 };
    const texts = plannedTexts({ ...PLAN, ...plan }, (suite) => (suite === 'one' ? ['a', 'b'] : ['']));
    const kinds = ['one a', 'one b', 'two '];
    expect(texts.map(({ suite, variant, length, sample }) => `${length} ${sample} ${suite} ${variant}`)).toEqual(
      [100, 200].flatMap((length) => [0, 1].flatMap((sample) => kinds.map((kind) => `${length} ${sample} ${kind}`))),
    );
  });
});

describe('what is drawn for a text', () => {
  const [text] = TEXTS as [PlannedText];
  const draw = (of: Partial<PlannedText>, seed = 'a', version = '1') =>
    drawsOf({ seed }, { ...text, ...of }, version).below(2 ** 32);

  it('is the same at each length, so that lengths can be compared', () => {
    expect(draw({ length: 32_000 })).toBe(draw({}));
  });

  it('is another one for each text, each seed, and each version of what poses it', () => {
    const drawn = [draw({}), draw({ sample: 1 }), draw({ variant: 'w' }), draw({ suite: 'other' })];
    expect(new Set([...drawn, draw({}, 'b'), draw({}, 'a', '2')]).size).toBe(6);
  });

  it('is the same for ever', () => {
    expect(draw({})).toBe(2_535_127_994);
  });
});
