import { expect, it } from 'vitest';
import { Answer, type AskOptions, type Question } from '../../../src-main/client/answer.ts';
import type { NodeClient } from '../../../src-main/client/node-link.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { AskEvent, AskRequest, GenerateResult } from '../../../src-preload/contract/inference.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const [FIRST, SECOND] = ['aa'.repeat(32), 'bb'.repeat(32)];
const SAID = { message: { key: 'x', params: {} } } as never;

const result: GenerateResult = {
  text: 'So it is.',
  finish: 'stop',
  promptTokens: 9,
  cachedTokens: 0,
  completionTokens: 4,
  queuedMs: 0,
  firstTokenMs: 9,
  totalMs: 16,
  tokensPerSecond: 454.4,
};

const chunk = (text: string): AskEvent => ({ type: 'chunk', text, tokens: 1 });

/** A node that answers as it is written, and keeps what it was asked. Without a `done` it goes on until it is given up. */
function scripted(...script: (AskEvent | Error)[]) {
  const asked: { request: AskRequest; signal: AbortSignal | undefined }[] = [];
  async function* events(signal: AbortSignal | undefined) {
    for (const step of script) {
      if (step instanceof Error) throw step;
      yield step;
    }
    if (script.some((step) => 'type' in step && step.type === 'done')) return;
    const gone = Promise.withResolvers<never>();
    signal?.throwIfAborted();
    signal?.addEventListener('abort', () => gone.reject(signal.reason));
    await gone.promise;
  }
  const ask = async (request: AskRequest, { signal }: { signal?: AbortSignal } = {}) => {
    asked.push({ request, signal });
    return events(signal);
  };
  const node = { inference: { ask } } as unknown as NodeClient;
  return { asked, ask: (question: Question, options: AskOptions = {}) => new Answer(node, question, options) };
}

async function pieces(answer: Answer) {
  const all = [];
  for await (const piece of answer) all.push(piece);
  return all;
}

it('gives an answer piece by piece, and all of it with who gave it and what it cost', async () => {
  const node = scripted(
    { type: 'worker', worker: FIRST, model: 'qwen3-4b' },
    chunk('So it'),
    chunk(' is.'),
    { type: 'paid', worker: FIRST, credits: 2, from: 'gift' },
    { type: 'done', result },
  );
  const answer = node.ask('Is it so?');
  expect(await pieces(answer)).toEqual([
    { text: 'So it', anew: false },
    { text: ' is.', anew: false },
  ]);
  expect(await answer.result).toMatchObject({
    ...{ text: 'So it is.', finish: 'stop', target: 'mesh', worker: FIRST, model: 'qwen3-4b', credits: 2 },
    paid: [{ worker: FIRST, credits: 2, from: 'gift' }],
  });
});

it('asks as it is told to: the mesh in two minutes, unless the options say otherwise', async () => {
  const { asked, ask } = scripted({ type: 'done', result });
  await ask('Is it so?').result;
  await ask([{ role: 'user', content: 'And now?' }], {
    ...{ target: 'local', system: 'Be brief.', model: 'tiny', maxTokens: 5, timeoutMs: 1_000 },
  }).result;
  expect(asked.map(({ request }) => request)).toEqual([
    { target: 'mesh', messages: [{ role: 'user', content: 'Is it so?' }], deadlineMs: 120_000 },
    {
      ...{ target: 'local', model: 'tiny', maxTokens: 5, deadlineMs: 1_000 },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'And now?' },
      ],
    },
  ]);
});

it('says where another worker begins anew, and counts what the first one has cost', async () => {
  const node = scripted(
    { type: 'worker', worker: FIRST, model: 'a' },
    chunk('So'),
    { type: 'paid', worker: FIRST, credits: 1, from: 'claim' },
    { type: 'restart', worker: FIRST, reason: 'gone', said: SAID },
    { type: 'worker', worker: SECOND },
    chunk('So it is.'),
    { type: 'paid', worker: SECOND, credits: 2, from: 'gift' },
    { type: 'done', result },
  );
  const answer = node.ask('Is it so?');
  expect(await pieces(answer)).toEqual([
    { text: 'So', anew: false },
    { text: '', anew: true },
    { text: 'So it is.', anew: false },
  ]);
  expect(await answer.result).toMatchObject({ worker: SECOND, model: undefined, credits: 3 });
});

it('a failure reaches those who read the pieces, those who wait for the result, and what it cost is known', async () => {
  const broke = new QuarryError({ code: 'WORKER_LOST', message: 'It went away.' });
  const node = scripted(chunk('So'), { type: 'paid', worker: FIRST, credits: 1, from: 'gift' }, broke);
  const answer = node.ask('Is it so?');
  await expect(pieces(answer)).rejects.toMatchObject({ code: 'WORKER_LOST' });
  await expect(answer.result).rejects.toMatchObject({ code: 'WORKER_LOST' });
  expect(answer.paid).toEqual([{ worker: FIRST, credits: 1, from: 'gift' }]);
});

it('one that ends without an end is told as that', async () => {
  const node = { inference: { ask: async () => (async function* () {})() } } as unknown as NodeClient;
  await expect(new Answer(node, 'Is it so?', {}).result).rejects.toMatchObject({ code: 'PROTOCOL', retryable: true });
});

it('goes past what a newer node may tell, and says of what is no event that it is none', async () => {
  const newer = scripted({ type: 'weather', sun: true } as never, chunk('So it is.'), { type: 'done', result });
  expect((await newer.ask('Is it so?').result).text).toBe('So it is.');
  for (const wrong of [
    null,
    undefined,
    7,
    'chunk',
    [],
    {},
    { type: 7 },
    { type: 'chunk', text: 9 },
    { type: 'done' },
  ]) {
    const answer = scripted(wrong as never).ask('Is it so?');
    const message = expect.stringMatching(/^The node sent what is no part of an answer: /);
    await expect(answer.result).rejects.toMatchObject({ code: 'PROTOCOL', message });
  }
});

it('reads no list of faults to its end', async () => {
  const wrong = { type: 'done', result: { ...result, toolCalls: Array.from({ length: 600_000 }, () => ({})) } };
  const took = await cpuMs(async () => {
    await expect(scripted(wrong as never).ask('Is it so?').result).rejects.toMatchObject({ code: 'PROTOCOL' });
  });
  expect(took).toBeLessThan(5_000); // else some twenty seconds
});

it('keeps a thousand pieces for whoever reads them late, and of more puts them together', async () => {
  const words = Array.from({ length: 2_500 }, (_, at) => `${at} `);
  const late = scripted(...words.map(chunk), { type: 'done', result }).ask('Is it so?');
  await late.result;
  const all = await pieces(late);
  expect(all.length).toBeLessThanOrEqual(1_000);
  expect(all.map(({ text }) => text).join('')).toBe(words.join(''));

  const again = scripted(
    ...[...words.map(chunk), { type: 'restart', worker: FIRST, reason: 'gone', said: SAID } as const],
    ...[...words.map(chunk), { type: 'done', result } as const],
  ).ask('Is it so?');
  await again.result;
  const [first, ...rest] = await pieces(again);
  expect(first).toEqual({ text: '', anew: true });
  expect(rest.map(({ text }) => text).join('')).toBe(words.join(''));
});

it.each<[string, AskEvent]>([
  ['text', chunk('x'.repeat(10_000))],
  ['payments', { type: 'paid', worker: FIRST, credits: 1, from: 'gift' }],
])('is given up where its %s go on and on', async (_, event) => {
  const node = scripted(...Array.from({ length: 1_200 }, () => event));
  const answer = node.ask('Is it so?');
  const message = expect.stringMatching(/^The node sends on and on/);
  await expect(answer.result).rejects.toMatchObject({ code: 'PROTOCOL', message });
  await expect(pieces(answer)).rejects.toMatchObject({ code: 'PROTOCOL' });
});

it('is given up at the node by whoever leaves the loop, cancels it or aborts his signal', async () => {
  const left = scripted(chunk('So'));
  const answer = left.ask('Is it so?');
  for await (const _ of answer) break;
  await expect(answer.result).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(left.asked[0]?.signal?.aborted).toBe(true);

  const cancelled = scripted(chunk('So')).ask('Is it so?');
  cancelled.cancel();
  await expect(cancelled.result).rejects.toMatchObject({ code: 'CANCELLED' });

  const mine = new AbortController();
  const aborted = scripted(chunk('So')).ask('Is it so?', { signal: mine.signal });
  mine.abort(new Error('I have something else to do.'));
  await expect(aborted.result).rejects.toMatchObject({ code: 'CANCELLED' });
});

it('tells a signal that ran out of time from one that was aborted', async () => {
  const late = AbortSignal.abort(new DOMException('It is late.', 'TimeoutError'));
  await expect(scripted(chunk('So')).ask('Is it so?', { signal: late }).result).rejects.toMatchObject({
    code: 'DEADLINE',
  });
});

it.each([0, -1, Number.NaN, 3_600_001, Number.POSITIVE_INFINITY])('takes no time of %d ms', async (timeoutMs) => {
  const node = scripted({ type: 'done', result });
  await expect(node.ask('Is it so?', { timeoutMs }).result).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    field: 'timeoutMs',
  });
  expect(node.asked).toEqual([]);
});

it.each([undefined, null, 5, { role: 'user', content: 'Hi' }])('takes no question that is %j', async (question) => {
  const node = scripted({ type: 'done', result });
  await expect(node.ask(question as unknown as string).result).rejects.toMatchObject({
    name: 'QuarryError',
    code: 'BAD_REQUEST',
    field: 'messages',
  });
  expect(node.asked).toEqual([]);
});
