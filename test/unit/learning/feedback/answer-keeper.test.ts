import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnswerEvent, TokenLogprobs } from '../../../../src-main/inference/backend.ts';
import { AnswerKeeper, type KeepingChoice } from '../../../../src-main/learning/feedback/answer-keeper.ts';
import { textHash } from '../../../../src-main/learning/visible-text.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { CompletionStore } from '../../../../src-main/store/learning/learning-completions.ts';
import type { GenerateRequest } from '../../../../src-preload/contract/request.ts';
import { completionRow, feedbackRow, unpackTokens } from '../../../support/kept-answers.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { until } from '../../../support/until.ts';

const DAY = 86_400_000;
const log = pino({ level: 'silent' });
const ORIGIN = {
  id: 'chatcmpl-1',
  door: 'api',
  model: 'local',
  base: 'b'.repeat(64),
  adapter: 'personal-init',
} as const;
const ASKED: GenerateRequest = {
  input: {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Is four even?' },
      { role: 'system', content: 'Be polite.' },
    ],
  },
  seed: 3,
};

let db: Db;
let store: CompletionStore;
let choice: KeepingChoice;
let now: number;
let keeper: AnswerKeeper;
/** What the model was asked. */
let asked: GenerateRequest[];
let told: object[];

beforeEach(async () => {
  db = await memoryDatabase();
  store = new CompletionStore(db);
  choice = { keep: true, keepDays: 30, keepMb: 200 };
  now = 100 * DAY;
  asked = [];
  told = [];
  keeper = new AnswerKeeper({ store, choice: () => choice, now: () => now, log });
});
afterEach(async () => {
  await keeper.close();
  await db.destroy();
});

function sampled(token: string, id: number | undefined, logprob: number): TokenLogprobs {
  return { token, ...(id !== undefined && { id }), bytes: [...Buffer.from(token)], logprob, top: [] };
}

function done(text: string, more: object = {}): Extract<AnswerEvent, { type: 'done' }> {
  const figures = { cachedTokens: 0, queuedMs: 0, firstTokenMs: 1, totalMs: 2, tokensPerSecond: 0, ...more };
  return { type: 'done', result: { text, finish: 'stop', promptTokens: 12, completionTokens: 2, ...figures } };
}

/** A model that says this. */
function says(...events: AnswerEvent[]) {
  return async function* (request: GenerateRequest, options: object = {}): AsyncGenerator<AnswerEvent> {
    asked.push(request);
    told.push(options);
    yield* events;
  };
}

const FOUR = [
  { type: 'chunk', text: 'It', tokens: 1, logprobs: [sampled('It', 7, -0.5)] },
  { type: 'chunk', text: ' is.', tokens: 1, logprobs: [sampled(' is.', 9, -0.25)] },
  { ...done('It is.'), tokenIds: [7, 9, 2] },
] satisfies AnswerEvent[];

async function heard(events: AsyncIterable<AnswerEvent>): Promise<AnswerEvent[]> {
  return await Array.fromAsync(events);
}

describe('an answer', () => {
  it('is kept as it was asked for and sampled', async () => {
    await heard(keeper.keep(ASKED, says(...FOUR), ORIGIN));
    const row = await store.find('chatcmpl-1');
    expect(row).toMatchObject({
      ...ORIGIN,
      ...{ at: now, input: JSON.stringify(ASKED.input), system: 'Be brief.\nBe polite.', text: 'It is.' },
      ...{ text_hash: textHash('It is.'), prompt_tokens: 12 },
    });
    expect(row && unpackTokens(row)).toEqual({ tokens: [7, 9, 2], logprobs: [-0.5, -0.25] });
    expect(row?.bytes).toBeGreaterThan(JSON.stringify(ASKED.input).length);
  });

  it('counts as what it takes on the disk: bytes, and system messages, which lie there twice', async () => {
    const system = '詩'.repeat(10_000);
    const messages = [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: '夜'.repeat(10_000) },
    ];
    await heard(keeper.keep({ ...ASKED, input: { messages } }, says(...FOUR), ORIGIN));
    expect((await store.find('chatcmpl-1'))?.bytes).toBeGreaterThan(3 * 30_000);
  });

  it('is asked for with log-probabilities, of which who did not ask for any hears nothing', async () => {
    const events = await heard(keeper.keep(ASKED, says(...FOUR), ORIGIN));
    expect([asked, told]).toEqual([[{ ...ASKED, topLogprobs: 0 }], [{ tokenIds: true }]]);
    expect(events).toEqual(FOUR.map((event) => ({ ...event, logprobs: undefined, tokenIds: undefined })));
    const wanting = { ...ASKED, topLogprobs: 3 };
    expect(await heard(keeper.keep(wanting, says(...FOUR), ORIGIN))).toEqual(
      FOUR.map((event) => ({ ...event, tokenIds: undefined })),
    );
    expect(asked[1]).toEqual(wanting);
  });

  it('is on the disk before anybody hears that it is over', async () => {
    for await (const event of keeper.keep(ASKED, says(...FOUR), ORIGIN)) {
      expect(Boolean(await store.find('chatcmpl-1'))).toBe(event.type === 'done');
    }
  });

  it('that is left, fails, or has no end is not kept', async () => {
    for await (const _ of keeper.keep(ASKED, says(...FOUR), ORIGIN)) break;
    const failing = async function* (): AsyncGenerator<AnswerEvent> {
      yield FOUR[0] as AnswerEvent;
      throw new Error('The engine died.');
    };
    await expect(heard(keeper.keep(ASKED, failing, ORIGIN))).rejects.toThrow('The engine died.');
    await heard(keeper.keep(ASKED, says(FOUR[0] as AnswerEvent), ORIGIN));
    expect(await store.sum()).toMatchObject({ count: 0 });
  });

  it('is not kept where that is switched off, and asked for as it is', async () => {
    choice.keep = false;
    expect(await heard(keeper.keep(ASKED, says(...FOUR), ORIGIN))).toEqual(FOUR);
    expect([asked, told]).toEqual([[ASKED], [{}]]);
    expect(await store.sum()).toMatchObject({ count: 0 });
  });

  it('that the model was made to begin is not kept', async () => {
    const forced = { ...ASKED, tools: [{ name: 'add' }], toolChoice: 'required' as const };
    await heard(keeper.keep(forced, says(...FOUR), ORIGIN));
    await heard(keeper.keep({ ...forced, toolChoice: { name: 'add' } }, says(...FOUR), ORIGIN));
    expect(await store.sum()).toMatchObject({ count: 0 });
  });

  it('with calls of tools is kept as the model wrote it, with the tools', async () => {
    const call = '<tool_call>{"name":"add"}</tool_call>';
    const toolCalls = [{ id: 'c', name: 'add', arguments: '{}' }];
    const events: AnswerEvent[] = [
      { type: 'chunk', text: 'Well.', tokens: 1, logprobs: [sampled('Well.', 1, -1)] },
      { type: 'chunk', text: '', tokens: 1, logprobs: [sampled(call, 2, -1)], toolCalls },
      done('Well.', { toolCalls, finish: 'tool_calls' }),
    ];
    const request = { ...ASKED, tools: [{ name: 'add' }] };
    await heard(keeper.keep(request, says(...events), ORIGIN));
    expect(await store.find('chatcmpl-1')).toMatchObject({
      ...{ text: `Well.${call}`, text_hash: textHash('Well.') },
      input: JSON.stringify({ ...ASKED.input, tools: request.tools }),
    });
  });

  it('of which the tokens are not known, or not those of the text, is kept with what is sure', async () => {
    const read = async (tokenIds?: number[]) => {
      const ended = { ...done('It is.'), ...(tokenIds && { tokenIds }) };
      await heard(keeper.keep(ASKED, says(...FOUR.slice(0, 2), ended), ORIGIN));
      return unpackTokens((await store.find('chatcmpl-1')) ?? expect.fail('it is not kept'));
    };
    expect(await read()).toEqual({ tokens: [], logprobs: [] });
    expect(await read([7, 8, 9])).toEqual({ tokens: [7, 8, 9], logprobs: [-0.5] });
  });

  it('that cannot be kept is an answer all the same', async () => {
    await db.schema.dropTable('learning_feedback').execute();
    await db.schema.dropTable('learning_completions').execute();
    expect(await heard(keeper.keep(ASKED, says(...FOUR), ORIGIN))).toHaveLength(3);
  });
});

describe('what is kept', () => {
  const put = (id: string, ageDays: number, bytes = 100) =>
    store.put(completionRow({ id, at: now - ageDays * DAY, bytes }));
  const left = async () =>
    (await db.selectFrom('learning_completions').select('id').orderBy('at').execute()).map(({ id }) => id);

  it('is forgotten after the days that are set, unless feedback refers to it', async () => {
    await put('old', 31);
    await put('said', 90);
    await put('new', 29);
    await db
      .insertInto('learning_feedback')
      .values(feedbackRow({ completion: 'said' }))
      .execute();
    await keeper.sweep();
    expect(await left()).toEqual(['said', 'new']);
    choice.keepDays = 28;
    await keeper.sweep();
    expect(await left()).toEqual(['said']);
  });

  it('has the size that is set, the oldest going first; what feedback refers to takes nobody’s place', async () => {
    choice.keepMb = 1;
    await put('said', 9, 5_000_000);
    await db
      .insertInto('learning_feedback')
      .values(feedbackRow({ completion: 'said' }))
      .execute();
    await put('first', 8, 400_000);
    await put('second', 7, 400_000);
    await put('third', 6, 400_000);
    await keeper.sweep();
    expect(await left()).toEqual(['said', 'second', 'third']);
  });

  it('makes room by itself as answers come', async () => {
    choice.keepMb = 1;
    await put('first', 2, 700_000);
    keeper.open();
    await keeper.sweep();
    const long = { ...ASKED, input: { messages: [{ role: 'user' as const, content: 'x'.repeat(600_000) }] } };
    await heard(keeper.keep(long, says(...FOUR), ORIGIN));
    await until(async () => expect(await left()).toEqual(['chatcmpl-1']));
  });

  it('leaves some room when it makes any: it does not look at everything again with the next answer', async () => {
    choice.keepMb = 1;
    for (let at = 0; at < 101; at++) await put(`a${at}`, 9, 10_000);
    await keeper.sweep();
    expect((await store.sum()).bytes).toBe(950_000);
    const sum = vi.spyOn(store, 'sum');
    await heard(keeper.keep(ASKED, says(...FOUR), ORIGIN));
    await keeper.close();
    expect(sum).not.toHaveBeenCalled();
  });

  it('can be forgotten as a whole, but for what feedback refers to', async () => {
    for (const id of ['a', 'b', 'c']) await put(id, 1);
    await db
      .insertInto('learning_feedback')
      .values(feedbackRow({ completion: 'b' }))
      .execute();
    expect(await keeper.forgetAll()).toBe(2);
    expect(await left()).toEqual(['b']);
  });
});
