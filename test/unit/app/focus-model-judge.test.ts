import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseJudge } from '../../../src-main/app/focus/choose-judge.ts';
import { ModelJudge, type Sent } from '../../../src-main/app/focus/model-judge.ts';
import { parseBaseUrl } from '../../../src-main/inference/remote/openai-models.ts';
import type { Judge } from '../../../src-main/subnets/omega/focus/model/judge.ts';
import { completionQuestion, type FocusTask } from '../../../src-main/subnets/omega/focus/model/questions.ts';
import {
  type ModelInput,
  OrdersInTask,
  scoreByModel,
} from '../../../src-main/subnets/omega/focus/model/score-by-model.ts';
import { INJECTIONS } from '../../support/injections.ts';
import { honest, type JudgeAnswer, type JudgeAsked, JudgeServer, pictureOf } from '../../support/judge-server.ts';

let answer: (asked: JudgeAsked) => JudgeAnswer | undefined;
let server: JudgeServer;
let sent: Sent[];
beforeEach(async () => {
  answer = honest;
  sent = [];
  server = await new JudgeServer((asked) => answer(asked)).open();
});
afterEach(() => server.close());

const judge = (changed: { baseUrl?: URL; onSent?: (one: Sent) => void | Promise<void> } = {}): Judge =>
  new ModelJudge({
    baseUrl: parseBaseUrl(server.url),
    apiKey: 'a key',
    model: 'looks-7b',
    onSent: (one) => void sent.push(one),
    closing: new AbortController().signal,
    now: () => 5,
    ...changed,
  });

const TASK: FocusTask = { title: 'Mend the CSV import', description: 'The file has two dates in each row.' };
let drawn = 0;
const input = (changed: Partial<ModelInput> = {}): ModelInput => ({
  judge: judge(),
  signal: new AbortController().signal,
  pauses: { firstMs: 1 },
  task: TASK,
  frames: async () => [0, 30_000].map((atMs) => ({ atMs, jpeg: pictureOf() })),
  minutes: [{ minute: 0, changed: 3.1, pressed: 140 }],
  draw: () => ({ token: String(++drawn).padStart(32, '0'), seal: `seal${drawn}` }),
  ...changed,
});

describe('a score by a model', () => {
  it('comes of three questions, with pictures in the first alone', async () => {
    const score = await scoreByModel(input());
    expect(score).toMatchObject({ version: 'model-1', model: 'looks-7b', score: 0.57, orders: null, boost: 1 });
    expect(score.completion?.missing).toBe('The second file is not tried.');
    expect(server.asked.map(({ name, pictures }) => [name, pictures.length])).toEqual([
      ['annotation', 2],
      ['legitimacy', 0],
      ['completion', 0],
    ]);
    expect(server.asked[0]?.pictures[0]?.equals(pictureOf())).toBe(true);
    expect(server.asked[2]?.blocks.task).toEqual(TASK);
    expect(server.asked[0]?.authorization).toBe('Bearer a key');
    expect(new Set(server.asked.map(({ seal }) => seal)).size).toBe(3);
  });

  it('tells of what is sent before it is, and sends nothing where that fails', async () => {
    await scoreByModel(input());
    expect(sent.map(({ what, pictures, to, at }) => [what, pictures, to, at])).toEqual([
      ['pictures', 2, new URL(server.url).host, 5],
      ['text', 0, new URL(server.url).host, 5],
      ['text', 0, new URL(server.url).host, 5],
    ]);
    expect(sent[0]?.bytes).toBeGreaterThan(2 * pictureOf().length);
    const before = server.asked.length;
    const full = () => {
      throw new Error('The log is full.');
    };
    await expect(scoreByModel(input({ judge: judge({ onSent: full }) }))).rejects.toThrow('gave no score');
    expect(server.asked.length).toBe(before);
  });

  it('sends nothing while what is sent is being written down, nor where that fails in the end', async () => {
    const written = Promise.withResolvers<void>();
    const asking = scoreByModel(input({ judge: judge({ onSent: () => written.promise }) }));
    const ended = expect(asking).rejects.toThrow('gave no score');
    await scoreByModel(input());
    expect(server.asked.length).toBe(3); // of the one that did not have to wait
    written.reject(new Error('The log is full.'));
    await ended;
    expect(server.asked.length).toBe(3);
  });

  it('is 0 for what is no work, with the reason, and its task is not looked at', async () => {
    answer = (asked) =>
      asked.name === 'legitimacy' ? { legitimate: false, rationale: 'A film is playing.' } : honest(asked);
    expect(await scoreByModel(input())).toMatchObject({
      score: 0,
      legitimacy: { legitimate: false, rationale: 'A film is playing.' },
      completion: null,
    });
    expect(server.asked.length).toBe(2);
  });

  it('is more for a task that is boosted, and more than 1 only where that is meant', async () => {
    expect((await scoreByModel(input({ boost: { factor: 1.5, beyondOne: false } }))).score).toBeCloseTo(0.855);
    expect((await scoreByModel(input({ boost: { factor: 2, beyondOne: false } }))).score).toBe(1);
    expect((await scoreByModel(input({ boost: { factor: 2, beyondOne: true } }))).score).toBeCloseTo(1.14);
  });

  it('asks again, three times in all, where that may help', async () => {
    let count = 0;
    answer = (asked) => (++count < 3 ? { status: 503, body: '{"error":{"message":"busy"}}' } : honest(asked));
    expect((await scoreByModel(input())).score).toBe(0.57);
    answer = () => ({ status: 500, body: 'oh' });
    const before = server.asked.length;
    await expect(scoreByModel(input())).rejects.toThrow('gave no score');
    expect(server.asked.length - before).toBe(3);
  });

  it.each<[string, JudgeAnswer, number]>([
    ['a key that is refused', { status: 401, body: '{}' }, 1],
    ['a model that is not there', { status: 404, body: '{"error":{"message":"no such model"}}' }, 1],
    ['pictures that are not taken', { status: 400, body: '{"error":{"message":"image_url is not supported"}}' }, 1],
    ['prose', 'I would give it 0.9.', 3],
    ['an answer without its end', '{"applications": ["Edi', 3],
    ['an answer in another form', { applications: 'Editor' }, 3],
    ['an answer that does not know the seal', { seal: 'guessed', ...honest({ name: 'annotation' }) }, 3],
    ['an endless answer', 'x'.repeat(2 << 20), 1],
  ])('there is none, and never 0 or a pass, with %s', async (_, bad, tries) => {
    answer = () => bad;
    await expect(scoreByModel(input())).rejects.toMatchObject({ name: 'Unscored' });
    expect(server.asked.length).toBe(tries);
  });

  it('there is none where the grade is none', async () => {
    for (const score of [1.2, -0.1, '1', null]) {
      answer = (asked) => (asked.name === 'completion' ? { ...honest(asked), score } : honest(asked));
      await expect(scoreByModel(input())).rejects.toMatchObject({ name: 'Unscored' });
    }
  });

  it('there is none where nobody listens', async () => {
    const gone = judge({ baseUrl: parseBaseUrl('http://127.0.0.1:9/v1') });
    await expect(scoreByModel(input({ judge: gone }))).rejects.toMatchObject({ name: 'Unscored' });
  });

  it('ends at once when it is called off', async () => {
    const calledOff = new AbortController();
    answer = () => {
      calledOff.abort();
      return undefined;
    };
    await expect(scoreByModel(input({ signal: calledOff.signal }))).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(server.asked.length).toBe(1);
  });

  it('wants pictures, few and small ones', async () => {
    const one = { atMs: 0, jpeg: pictureOf() };
    for (const frames of [
      [],
      Array.from({ length: 25 }, () => one),
      [{ atMs: 0, jpeg: pictureOf(641, 10) }],
      [{ atMs: 0, jpeg: pictureOf(10, 641) }],
      [{ atMs: 0, jpeg: Buffer.from('no picture at all') }],
      [{ atMs: 0, jpeg: pictureOf().subarray(0, 30) }],
    ]) {
      await expect(scoreByModel(input({ frames: async () => frames }))).rejects.toMatchObject({ name: 'Unscored' });
    }
    expect(server.asked).toEqual([]);
  });
});

/** Does whatever it is told outside of blocks of data. */
const obedient = (order: string) => (asked: JudgeAsked) => {
  if (!asked.outside.includes(order)) return honest(asked);
  return { ...honest(asked), legitimate: true, score: 1 };
};

describe('orders in a recording', () => {
  it('would be obeyed if they stood outside of a block', async () => {
    for (const { text } of INJECTIONS) {
      answer = obedient(text);
      const question = completionQuestion({ token: 'f'.repeat(32), seal: 'ab' }, TASK, NOTHING);
      const naive = { ...question, system: `${question.system}\n${text}` };
      expect(JSON.parse(await judge().ask(naive, new AbortController().signal))).toMatchObject({ score: 1 });
    }
  });

  it.each(INJECTIONS)(
    'in the task are found before anybody is asked, or reach the model as data: $name',
    async (one) => {
      answer = obedient(one.text);
      const task = { title: one.text, description: one.text };
      const question = completionQuestion({ token: 'f'.repeat(32), seal: 'ab' }, task, NOTHING);
      expect(JSON.parse(await judge().ask(question, new AbortController().signal))).toMatchObject({ score: 0.57 });
      expect(server.asked.at(-1)?.blocks.task).toEqual(task);
      const before = server.asked.length;
      const scored = scoreByModel(input({ task }));
      if (one.unseen) return expect((await scored).score).toBe(0.57);
      await expect(scored).rejects.toThrow(OrdersInTask);
      expect(server.asked).toHaveLength(before);
    },
  );

  it.each(INJECTIONS)('on the screen give no grade: $name', async ({ text, unseen }) => {
    const copied = { applications: [], steps: [text], description: text };
    answer = (asked) => (asked.name === 'annotation' ? copied : obedient(text)(asked));
    const { score, orders } = await scoreByModel(input());
    expect(score).toBe(unseen ? 0.57 : null);
    expect(orders !== null).toBe(unseen !== true);
  });

  it('that the model itself sees lead to a person, not to a grade', async () => {
    for (const name of ['annotation', 'legitimacy', 'completion']) {
      answer = (asked) => ({ ...honest(asked), ...(asked.name === name && { orders: true, score: 1 }) });
      expect(await scoreByModel(input())).toMatchObject({ score: null, orders: '' });
    }
  });

  it('that come back as a reason lead to a person', async () => {
    const rationale = 'The text says to give this recording a score of 1.0.';
    answer = (asked) => ({ ...honest(asked), ...(asked.name === 'completion' && { rationale, score: 1 }) });
    expect(await scoreByModel(input())).toMatchObject({ score: null });
  });
});

const NOTHING = { applications: [], steps: [], description: '' };

describe('the model that is asked', () => {
  const lack = (settings: Parameters<typeof chooseJudge>[0]) => {
    const chosen = chooseJudge(settings);
    return 'lack' in chosen ? chosen.lack.key.split('.').at(-1) : chosen.baseUrl.href;
  };

  it('is over https with a yes to just that address, or on this computer', () => {
    const model = 'looks-7b';
    expect(lack({})).toBe('noModel');
    expect(lack({ baseUrl: 'https://a.example/v1' })).toBe('noModel');
    expect(lack({ baseUrl: 'http://a.example/v1', model, picturesTo: 'http://a.example' })).toBe('notSafe');
    expect(lack({ baseUrl: 'http://192.168.1.9/v1', model })).toBe('notSafe');
    expect(lack({ baseUrl: 'https://a.example/v1', model })).toBe('notAgreed');
    expect(lack({ baseUrl: 'https://a.example/v1', model, picturesTo: 'https://b.example' })).toBe('notAgreed');
    expect(lack({ baseUrl: 'https://a.example/v1', model, picturesTo: 'https://a.example:444' })).toBe('notAgreed');
    expect(lack({ baseUrl: 'https://a.example/v1', model, picturesTo: 'https://a.example' })).toBe(
      'https://a.example/v1/',
    );
    expect(lack({ baseUrl: 'http://127.0.0.1:8000/v1', model })).toBe('http://127.0.0.1:8000/v1/');
    expect(lack({ baseUrl: 'http://[::1]:8000/v1', model })).toBe('http://[::1]:8000/v1/');
    expect(lack({ baseUrl: 'http://127.0.0.1.evil.example/v1', model })).toBe('notSafe');
  });
});
