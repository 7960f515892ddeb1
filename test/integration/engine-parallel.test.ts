import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../src-main/inference/backend.ts';
import { BATCH_TOKENS, type RequestEvent } from '../../src-main/inference/engine-protocol.ts';
import { processUsage } from '../../src-main/process/child-limits.ts';
import type { GenerateResult } from '../../src-preload/contract/inference.ts';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';
import { ENDLESS, generate, SLOW, tinyEngine } from '../support/engine.ts';
import { hearing } from '../support/hearing-engine.ts';
import { until } from '../support/until.ts';

const said: RequestEvent[] = [];
const engine = tinyEngine({ parallel: 4, maxWaiting: 20, spawner: hearing(said) });
beforeAll(() => engine.open());
afterAll(() => engine.close());

const TOPICS = ['credits', 'the queue', 'a peer', 'the ledger', 'a miner', 'the key', 'a model', 'the mesh'];
const request = (topic: string, maxTokens = 60): GenerateRequest => ({
  input: { messages: [{ role: 'user', content: `Tell me about ${topic}.` }] },
  maxTokens,
  temperature: 0,
  repeatPenalty: 1.1, // these answers go on for as long as they may
});

async function engineMiB(): Promise<number> {
  return (await processUsage(engine.pid as number)).memoryMiB as number;
}

async function chunkOf(iterator: AsyncIterator<unknown>): Promise<void> {
  expect(await iterator.next()).toMatchObject({ done: false });
}

/** Four answers, each in a sequence of its own: on a busy machine the first may have ended when the last begins. */
async function fourTogether(): Promise<GenerateResult[]> {
  for (;;) {
    const answers = TOPICS.slice(0, 4).map((topic) => engine.generate(request(topic, 200)));
    await Promise.all(answers.map(chunkOf));
    const together = engine.status().active === answers.length;
    const results = await Promise.all(answers.map(resultOf));
    if (together) return results;
  }
}

/**
 * Does something while so many sequences are taken by answers that go on. They last for some seconds: where a busy machine took longer, it
 * is done again.
 */
async function whileTaken(count: number, work: () => Promise<void>): Promise<void> {
  for (;;) {
    const running = Array.from({ length: count }, () => engine.generate({ ...ENDLESS, maxTokens: 3_000 }));
    await Promise.all(running.map(chunkOf));
    let ended = 0;
    const watching = running.map(async (answer) => {
      for await (const event of { [Symbol.asyncIterator]: () => answer }) if (event.type === 'done') ended++;
    });
    await work();
    const inTime = ended === 0;
    await Promise.all([...running.map((answer) => answer.return(undefined)), ...watching]);
    if (inTime) return;
  }
}

async function resultOf(answer: AsyncIterable<AnswerEvent>): Promise<GenerateResult> {
  for await (const event of answer) if (event.type === 'done') return event.result;
  return expect.fail('there was no end');
}

describe('requests at the same time', () => {
  it('are served together, each with the answer it would get alone', async () => {
    const alone: string[] = [];
    for (const topic of TOPICS) alone.push((await generate(engine, request(topic))).text);
    const together = await Promise.all(TOPICS.map((topic) => generate(engine, request(topic))));
    expect(together.map(({ text }) => text)).toEqual(alone);
    expect(new Set(alone).size).toBe(TOPICS.length);
  });

  it('read a long beginning once that they have in common, and answer as if each had read it', async () => {
    const content = `${'The mesh is made of peers. '.repeat(20)}Tell me about`;
    const asked = (topic: string) => ({ ...request(topic), input: { prompt: `${content} ${topic}` } });
    const alone = await generate(engine, asked('the queue'), { fresh: true });
    let second: GenerateResult | undefined;
    await whileTaken(2, async () => {
      const first = engine.generate({ ...ENDLESS, input: asked('a peer').input, maxTokens: 500 });
      await chunkOf(first);
      second = await generate(engine, asked('the queue'));
      await first.return(undefined);
    });
    expect(second?.cachedTokens).toBeGreaterThan(100);
    expect(second?.text).toBe(alone.text);
  });

  it('wait for a sequence in the order they came', async () => {
    let order: string[] = [];
    // One sequence is left, so the others begin one after the other.
    await whileTaken(3, async () => {
      order = [];
      const asked = TOPICS.map((topic) => generate(engine, request(topic, 5)).then(() => order.push(topic)));
      expect(engine.status()).toMatchObject({ waiting: TOPICS.length });
      await Promise.all(asked);
    });
    expect(order).toEqual(TOPICS);
    expect(engine.status()).toMatchObject({ active: 0, waiting: 0 });
  });

  it('are refused when too many wait already', async () => {
    const many = Array.from({ length: 40 }, () => generate(engine, request('credits', 3)));
    const outcomes = await Promise.allSettled(many);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(20);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'OVERLOADED', retryable: true });
  });

  it('of a conversation each keep their own sequence', async () => {
    const turns = await fourTogether();
    const next = await Promise.all(
      TOPICS.slice(0, 4).map((topic, index) =>
        generate(engine, {
          input: {
            messages: [
              { role: 'user', content: `Tell me about ${topic}.` },
              { role: 'assistant', content: turns[index]?.text ?? '' },
              { role: 'user', content: 'Go on.' },
            ],
          },
          maxTokens: 2,
        }),
      ),
    );
    for (const [index, { cachedTokens }] of next.entries()) {
      const { promptTokens = 0, completionTokens = 0 } = turns[index] ?? {};
      expect(cachedTokens).toBeGreaterThanOrEqual(promptTokens + completionTokens - 4);
    }
  });
});

describe('a cancelled request', () => {
  beforeEach(() => engine.setSpeed(SLOW));
  afterEach(() => engine.setSpeed(1));

  it('ends with CANCELLED and frees its sequence at once', async () => {
    // Were it not free, the next one would wait until one of the others has ended.
    await whileTaken(3, async () => {
      const controller = new AbortController();
      const last = engine.generate(ENDLESS, { signal: controller.signal });
      await chunkOf(last);
      controller.abort();
      await expect(Array.fromAsync({ [Symbol.asyncIterator]: () => last })).rejects.toMatchObject({
        code: 'CANCELLED',
      });
      await generate(engine, request('credits', 2));
    });
  });

  it('is one whose reader went away', async () => {
    for await (const event of engine.generate(ENDLESS)) {
      expect(event.type).toBe('chunk');
      break;
    }
    expect(engine.status()).toMatchObject({ active: 0, waiting: 0 });
    await expect(generate(engine, request('credits', 2))).resolves.toMatchObject({ completionTokens: 2 });
  });

  it('may be waiting still', async () => {
    const running = Array.from({ length: 4 }, () => engine.generate(ENDLESS));
    await Promise.all(running.map(chunkOf));
    const controller = new AbortController();
    const waiting = generate(engine, request('credits'), { signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    await Promise.all(running.map((iterator) => iterator.return(undefined)));
  });

  it.runIf(process.platform === 'linux')('that waits leaves nothing of it in the engine', async () => {
    const running = Array.from({ length: 4 }, () => engine.generate(ENDLESS));
    await Promise.all(running.map(chunkOf));
    engine.setSpeed(SLOW / 5); // nobody is done meanwhile
    const before = await engineMiB();
    for (let asked = 0; asked < 400; asked++) {
      const waiting = generate(engine, { input: { prompt: 'x'.repeat(1_000_000) } }, { deadlineMs: 1 });
      await expect(waiting).rejects.toMatchObject({ code: 'DEADLINE' });
      if (asked % 20 === 19) await engine.countTokens({ prompt: 'it has read all of them' });
    }
    expect((await engineMiB()) - before).toBeLessThan(350); // about 150; were they all kept, 470
    await Promise.all(running.map((iterator) => iterator.return(undefined)));
  });

  it('may be a score', async () => {
    const controller = new AbortController();
    const scoring = engine.score(
      { input: { prompt: 'A' }, continuation: 'credits '.repeat(900), topK: 100 },
      { signal: controller.signal },
    );
    const cancelled = expect(scoring).rejects.toMatchObject({ code: 'CANCELLED' });
    controller.abort(); // at once: it takes the engine a moment
    await cancelled;
    await expect(generate(engine, request('credits', 2))).resolves.toMatchObject({ completionTokens: 2 });
  });
});

describe('a deadline', () => {
  beforeEach(() => engine.setSpeed(SLOW));
  afterEach(() => engine.setSpeed(1));

  it('ends the request with DEADLINE', async () => {
    await expect(generate(engine, ENDLESS, { deadlineMs: 50 })).rejects.toMatchObject({
      code: 'DEADLINE',
      retryable: true,
    });
  });

  it('counts the time spent waiting', async () => {
    const running = Array.from({ length: 4 }, () => engine.generate(ENDLESS));
    await Promise.all(running.map(chunkOf));
    await expect(generate(engine, request('credits'), { deadlineMs: 20 })).rejects.toMatchObject({ code: 'DEADLINE' });
    await Promise.all(running.map((iterator) => iterator.return(undefined)));
  });
});

it('does not let long prompts stall those who decode', async () => {
  engine.setSpeed(SLOW);
  const decoding = engine.generate(ENDLESS);
  await chunkOf(decoding);
  const decoded = said.findLast(({ type }) => type === 'chunk')?.id;
  const before = said.length;
  const prompts = ['a', 'b', 'c'].map((first) => `${first} ${'credits '.repeat(1_000)}`);
  const long = Promise.all(prompts.map((prompt) => generate(engine, { input: { prompt }, maxTokens: 1 })));
  await until(() => expect(engine.status().active).toBe(1 + prompts.length));
  engine.setSpeed(1);
  const length = (await long).reduce((sum, { promptTokens }) => sum + promptTokens, 0);
  await decoding.return(undefined);
  const isOfLong = ({ id }: RequestEvent) => id !== decoded;
  const later = said.slice(before);
  const meanwhile = later.slice(later.findIndex(isOfLong), later.findLastIndex(isOfLong));
  const tokens = meanwhile.reduce((sum, each) => sum + (each.type === 'chunk' && !isOfLong(each) ? each.tokens : 0), 0);
  // One with each batch of the prompts; the last may come after them.
  expect(tokens).toBeGreaterThanOrEqual(Math.floor(length / BATCH_TOKENS) - 1);
});
