import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../../../src-main/base/event-queue.ts';
import { hedged, type Lane } from '../../../../src-main/mesh/asking/hedge.ts';

/** A lane that says what it is told to, and ends when it is cancelled. */
class TestLane implements Lane<string> {
  readonly events: AsyncGenerator<string, void, undefined>;
  cancelled = false;
  ended = false;
  readonly #queue = new EventQueue<string>();

  constructor(...events: string[]) {
    this.say(...events);
    this.events = this.#run();
  }

  say(...events: string[]): this {
    for (const event of events) this.#queue.push(event);
    return this;
  }

  end(): this {
    this.#queue.end();
    return this;
  }

  fail(message: string): void {
    this.#queue.fail(new Error(message));
  }

  cancel(): void {
    this.cancelled = true;
    this.fail('cancelled');
  }

  async *#run(): AsyncGenerator<string, void, undefined> {
    try {
      yield* this.#queue;
    } finally {
      this.ended = true;
    }
  }
}

async function collect(events: AsyncIterable<string>): Promise<string[]> {
  const collected = [];
  for await (const event of events) collected.push(event);
  return collected;
}

const isAnswer = (event: string) => event.startsWith('answer');

describe('hedging', () => {
  it('asks nobody else when the first one answers in time', async () => {
    const first = new TestLane('news', 'answer 1', 'answer 2').end();
    const events = hedged(first, () => expect.unreachable(), 1_000, isAnswer);
    expect(await collect(events)).toEqual(['news', 'answer 1', 'answer 2']);
  });

  it('takes the second one when it answers first, and cancels the other', async () => {
    const first = new TestLane('news');
    const second = new TestLane('other news', 'answer').end();
    expect(await collect(hedged(first, () => second, 5, isAnswer))).toEqual(['news', 'other news', 'answer']);
    expect(first).toMatchObject({ cancelled: true, ended: true });
  });

  it('takes the first one when it answers after all, and the second one’s news stay untold', async () => {
    const first = new TestLane();
    const second = new TestLane('other news');
    const start = () => {
      setTimeout(() => first.say('answer').end(), 5);
      return second;
    };
    expect(await collect(hedged(first, start, 5, isAnswer))).toEqual(['answer']);
    expect(second).toMatchObject({ cancelled: true, ended: true });
  });

  it('goes on with the one that is left when the other fails', async () => {
    const first = new TestLane();
    const second = new TestLane();
    const start = () => {
      first.fail('broken');
      setTimeout(() => second.say('answer').end(), 5);
      return second;
    };
    expect(await collect(hedged(first, start, 5, isAnswer))).toEqual(['answer']);
  });

  it('fails when both fail', async () => {
    const first = new TestLane();
    const second = new TestLane();
    const start = () => {
      first.fail('broken');
      setTimeout(() => second.fail('broken too'), 5);
      return second;
    };
    await expect(collect(hedged(first, start, 5, isAnswer))).rejects.toThrow('broken too');
  });

  it('keeps to the first one when there is nobody else', async () => {
    const first = new TestLane();
    const events = collect(hedged(first, () => undefined, 1, isAnswer));
    setTimeout(() => first.say('answer').end(), 10);
    expect(await events).toEqual(['answer']);
  });

  it('ends both when nobody reads on', async () => {
    const first = new TestLane('news');
    const second = new TestLane();
    const { promise: started, resolve } = Promise.withResolvers<void>();
    const start = () => {
      resolve();
      setTimeout(() => second.say('answer'), 5);
      return second;
    };
    const events = hedged(first, start, 1, isAnswer);
    await events.next();
    const answer = events.next();
    await started;
    await answer;
    await events.return();
    expect([first, second]).toMatchObject([{ ended: true }, { ended: true }]);
  });
});
