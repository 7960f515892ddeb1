import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../../../src-main/inference/backend.ts';
import type { AskedOptions, Generator } from '../../../../src-main/server/openai/generator.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { GenerateRequest } from '../../../../src-preload/contract/request.ts';
import { chat, done, events, openServer, probability, raw, says } from '../../../support/server-harness.ts';

const messages = [{ role: 'user' as const, content: 'Hi' }];

/** Whatever it is asked, the answer is its seed, and costs as many tokens. */
async function* seedOf({ seed = 0 }: GenerateRequest): AsyncGenerator<AnswerEvent> {
  yield { type: 'chunk', text: `seed ${seed}`, tokens: 2, logprobs: [{ ...probability('s', -seed), top: [] }] };
  yield done({ text: `seed ${seed}`, completionTokens: seed });
}

describe('several answers to one request', () => {
  it('each with its place and its own seed, and what they cost together', async () => {
    const { client, generator } = await openServer();
    generator.script = seedOf;
    const answer = await client.chat.completions.create({ model: 'tiny', messages, n: 3, seed: 7 });
    expect(answer.choices.map(({ index, message, finish_reason }) => [index, message.content, finish_reason])).toEqual([
      [0, 'seed 7', 'stop'],
      [1, 'seed 8', 'stop'],
      [2, 'seed 9', 'stop'],
    ]);
    expect(answer.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 24, total_tokens: 29 });
  });

  it('without a seed each is as random as one, and the highest seed is followed by the lowest', async () => {
    const { client, generator } = await openServer();
    await client.chat.completions.create({ model: 'tiny', messages, n: 2 });
    await client.chat.completions.create({ model: 'tiny', messages, n: 2, seed: 2 ** 32 - 1 });
    expect(generator.asked.map(({ seed }) => seed)).toEqual([undefined, undefined, 2 ** 32 - 1, 0]);
  });

  it('stream as they come, each piece with its place', async () => {
    const { client, url, generator } = await openServer();
    const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    generator.script = async function* ({ seed = 0 }) {
      yield { type: 'chunk', text: `${seed}`, tokens: 1 };
      if (seed === 0) await turns[0]?.promise;
      yield { type: 'chunk', text: ` and ${seed}`, tokens: 1 };
      if (seed === 1) turns[0]?.resolve();
      yield done({ text: `${seed} and ${seed}` });
    };
    const body = chat(messages, { n: 2, seed: 0, stream: true, stream_options: { include_usage: true } });
    const all = events((await raw(`${url}/v1/chat/completions`, { body })).text);
    expect(all.at(-1)).toBe('[DONE]');
    expect(all.at(-2)).toMatchObject({ choices: [], usage: { completion_tokens: 4, prompt_tokens: 5 } });
    const choices = all.slice(0, -2).map((event) => event.choices[0]);
    const of = (place: number) => choices.filter(({ index }) => index === place);
    for (const place of [0, 1]) {
      const contents = of(place).map(({ delta, finish_reason }) => delta.content ?? finish_reason);
      expect(contents).toEqual(['', `${place}`, ` and ${place}`, 'stop']);
    }
    // The second came to its end first.
    expect(choices.findIndex((each) => each.index === 1 && each.finish_reason)).toBeLessThan(
      choices.findIndex((each) => each.index === 0 && each.finish_reason),
    );
    const final = await client.chat.completions
      .stream({ model: 'tiny', messages, n: 2, seed: 0 })
      .finalChatCompletion();
    expect(final.choices.map(({ message }) => message.content)).toEqual(['0 and 0', '1 and 1']);
  });

  it('of a prompt, each behind its echo, with log-probabilities that count from its own beginning', async () => {
    const { client, generator } = await openServer();
    generator.script = seedOf;
    const asked = { model: 'tiny', prompt: 'ab', n: 2, best_of: 2, seed: 1, echo: true, logprobs: 0 };
    const { choices } = await client.completions.create(asked);
    expect(choices).toMatchObject([
      { index: 0, text: 'abseed 1', logprobs: { tokens: ['a', 'b', 's'], text_offset: [0, 1, 2] } },
      { index: 1, text: 'abseed 2', logprobs: { token_logprobs: [null, -1, -2], text_offset: [0, 1, 2] } },
    ]);
  });

  it('tools: each answer counts its own calls', async () => {
    const { client, generator } = await openServer();
    const call = { id: 'call_1', name: 'clock', arguments: '{}' };
    generator.script = async function* () {
      yield { type: 'chunk', text: '', tokens: 1, toolCalls: [call] };
      yield done({ finish: 'tool_calls', toolCalls: [call] });
    };
    const tools = [{ type: 'function' as const, function: { name: 'clock' } }];
    const stream = client.chat.completions.stream({ model: 'tiny', messages, tools, n: 2, parallel_tool_calls: false });
    const { choices } = await stream.finalChatCompletion();
    expect(choices.map(({ message }) => message.tool_calls?.length)).toEqual([1, 1]);
  });

  it('end together when the client goes away', async () => {
    const { client, generator } = await openServer();
    const aborted: Promise<void>[] = [];
    generator.script = async function* (_request, signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      signal?.addEventListener('abort', () => resolve(), { once: true });
      aborted.push(promise);
      yield { type: 'chunk', text: 'on', tokens: 1 };
      await promise;
      throw new QuarryError({ code: 'CANCELLED', message: 'cancelled' });
    };
    const stream = await client.chat.completions.create({ model: 'tiny', messages, n: 3, stream: true });
    let heard = 0;
    for await (const { choices } of stream) if (choices[0]?.delta.content === 'on' && ++heard === 3) break;
    await Promise.all(aborted);
    expect(aborted).toHaveLength(3);
  });

  it('fail together: with one that fails the others are not worked on', async () => {
    const { client, generator } = await openServer();
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<boolean | undefined>();
    generator.script = async function* ({ seed }, signal) {
      if (seed === 2) {
        await begun.promise;
        throw new QuarryError({ code: 'OVERLOADED', message: 'No more.' });
      }
      try {
        yield { type: 'chunk', text: 'x', tokens: 1 };
        begun.resolve();
        await new Promise((aborted) => signal?.addEventListener('abort', aborted, { once: true }));
        throw new QuarryError({ code: 'CANCELLED', message: 'cancelled' });
      } finally {
        ended.resolve(signal?.aborted);
      }
    };
    const asking = client.chat.completions.create({ model: 'tiny', messages, n: 2, seed: 1 });
    await expect(asking).rejects.toMatchObject({ status: 503, code: 'overloaded' });
    expect(await ended.promise).toBe(true);
  });

  it('are not kept to learn from: an id stands for one answer', async () => {
    const kept: (string | undefined)[] = [];
    const generator: Generator = {
      generate: (_request, options?: AskedOptions) => {
        kept.push(options?.keepAs);
        return says('x');
      },
    };
    const { url } = await openServer({ token: 'secret', route: () => generator });
    const headers = { authorization: 'Bearer secret' };
    for (const n of [1, 2]) await raw(`${url}/v1/chat/completions`, { body: chat(messages, { n }), headers });
    expect(kept).toEqual([expect.stringMatching(/^chatcmpl-/), undefined, undefined]);
  });
});

describe('the prompt of several answers', () => {
  /** Says which of its requests were asked before the first has begun. */
  async function askedBefore(more: Partial<Generator>): Promise<number> {
    const asked: number[] = [];
    const begun = Promise.withResolvers<number>();
    const generator: Generator = {
      ...more,
      generate: async function* ({ seed = 0 }) {
        asked.push(seed);
        if (seed === 0) {
          await new Promise(setImmediate);
          begun.resolve(asked.length);
        }
        yield* says('x');
      },
    };
    const { client } = await openServer({ route: () => generator });
    const { choices } = await client.chat.completions.create({ model: 'm', messages, n: 3, seed: 0 });
    expect([choices.length, asked]).toEqual([3, [0, 1, 2]]);
    return begun.promise;
  }

  it('is read for the first, where that is of use to the others', async () => {
    expect(await askedBefore({ sharesPrompts: true })).toBe(1);
  });

  it('is read by all at once, where it is not', async () => {
    expect(await askedBefore({})).toBe(3);
  });
});
