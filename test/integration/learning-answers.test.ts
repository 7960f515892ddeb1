import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PROMPTING, STREAM_PROMPTING } from '../../src-main/bittensor/synapse/prompting.ts';
import { textHash } from '../../src-main/learning/visible-text.ts';
import { CompletionStore } from '../../src-main/store/learning/learning-completions.ts';
import { answerOfTurn } from '../../src-preload/contract/kept-answers.ts';
import { type AxonNode, openAxonNode } from '../support/axon-node.ts';
import { testDendrite } from '../support/bittensor-axon.ts';
import { unpackTokens } from '../support/kept-answers.ts';
import { until } from '../support/until.ts';

/** A whole miner: with the API, conversations, the mesh, and an axon. Its model ends no answer by itself. */
let node: AxonNode;
let store: CompletionStore;
let api: OpenAI;
beforeAll(async () => {
  node = await openAxonNode();
  store = new CompletionStore(node.miner.db);
  api = new OpenAI({ baseURL: `${node.miner.server?.url}/v1`, apiKey: node.token, maxRetries: 0 });
});
afterAll(() => node?.[Symbol.asyncDispose]());
afterEach(async () => void (await node.contract.learning.forget()));

const kept = async () => (await store.sum()).count;
const user = (content: string) => [
  { role: 'system' as const, content: 'Be brief.' },
  { role: 'user' as const, content },
];
const asked = { model: 'local', max_completion_tokens: 6, temperature: 0 };

/** Asks in a new conversation. @returns its id, and that of the answer's turn */
async function talk(text: string, more: object = {}): Promise<{ id: string; turn: number }> {
  const { id } = await node.contract.conversations.create({ target: 'local', maxTokens: 6, ...more });
  for await (const event of await node.contract.conversations.ask({ id, text }))
    if (event.type === 'ended') return { id, turn: event.turn.id };
  throw new Error('It never ended.');
}

describe('an answer of the API', () => {
  it('is kept under its id, as the model sampled it', async () => {
    const answer = await api.chat.completions.create({ ...asked, messages: user('What is a mesh?') });
    const row = (await store.find(answer.id)) ?? expect.fail('it is not kept');
    const text = answer.choices[0]?.message.content ?? '';
    expect(row).toMatchObject({
      ...{ door: 'api', model: 'local', adapter: null, system: 'Be brief.', text, text_hash: textHash(text) },
      ...{ base: node.miner.engine?.slot.status().model?.sha256, prompt_tokens: answer.usage?.prompt_tokens },
      input: JSON.stringify({ messages: user('What is a mesh?') }),
    });
    expect(answer.choices[0]?.logprobs).toBeNull();
    for await (const { why } of await node.contract.learning.follow()) {
      expect(why).toMatchObject([{ said: { text: { key: 'learning.serving' } } }]); // a short answer counts, too
      break;
    }
    const sampled = unpackTokens(row);
    expect([sampled.tokens.length, sampled.logprobs.length]).toEqual([6, 6]);
    const scored = await node.miner.engine?.slot.current?.score?.({
      ...{ input: { messages: user('What is a mesh?') }, continuation: sampled.tokens },
    });
    expect(scored?.tokens.map(({ id }) => id)).toEqual(sampled.tokens);
    for (const [at, { logprob }] of (scored?.tokens ?? []).entries())
      expect(sampled.logprobs[at]).toBeCloseTo(logprob, 2);
  });

  it('is kept before its stream says that it is over, and nobody hears of log-probabilities', async () => {
    const stream = await api.chat.completions.create({ ...asked, messages: user('And a miner?'), stream: true });
    let text = '';
    for await (const { id, choices } of stream) {
      text += choices[0]?.delta.content ?? '';
      expect(choices[0]?.logprobs).toBeNull();
      if (choices[0]?.finish_reason) expect(await store.find(id)).toMatchObject({ text });
    }
    expect(text).not.toBe('');
  });

  it('comes with log-probabilities for who asks for them, and is kept alike', async () => {
    const request = { ...asked, messages: user('Likely?'), logprobs: true, top_logprobs: 2 };
    const answer = await api.chat.completions.create(request);
    const { content } = answer.choices[0]?.logprobs ?? {};
    expect(content?.map((each) => each.top_logprobs.length)).toEqual(Array(6).fill(2));
    expect(content?.[0]).not.toHaveProperty('id');
    const row = (await store.find(answer.id)) ?? expect.fail('it is not kept');
    for (const [at, each] of (content ?? []).entries())
      expect(unpackTokens(row).logprobs[at]).toBeCloseTo(each.logprob, 5);
  });

  it('that is not to be stored, is cut, or is no chat is not kept', async () => {
    await api.chat.completions.create({ ...asked, messages: user('Secret.'), store: false });
    await api.completions.create({ model: 'local', prompt: 'Once', max_tokens: 4 });
    const leaving = new AbortController();
    const long = { ...asked, max_completion_tokens: 3_000, messages: user('Long.'), stream: true as const };
    const stream = await api.chat.completions.create(long, { signal: leaving.signal });
    for await (const _ of stream) break;
    leaving.abort();
    await until(() => expect(node.miner.engine?.slot.status().active).toBe(0));
    expect(await kept()).toBe(0);
  });

  it('is not kept once that is switched off', async () => {
    await node.contract.settings.set({ changes: { 'learning.keep': false } });
    await api.chat.completions.create({ ...asked, messages: user('Kept?') });
    await talk('Kept?');
    expect(await kept()).toBe(0);
    await node.contract.settings.set({ changes: { 'learning.keep': true } });
    await api.chat.completions.create({ ...asked, messages: user('Kept?') });
    expect(await kept()).toBe(1);
  });
});

describe('an answer in a conversation', () => {
  it('is kept under the id of its turn, with the door', async () => {
    const { id, turn } = await talk('What is a mesh?', { system: 'Be brief.' });
    expect(await store.find(answerOfTurn(turn))).toMatchObject({
      ...{ door: 'playground', system: 'Be brief.', input: JSON.stringify({ messages: user('What is a mesh?') }) },
    });
    await Array.fromAsync(await node.contract.conversations.ask({ id, text: 'And a miner?', door: 'terminal' }));
    const { turns } = await node.contract.conversations.get({ id });
    expect(await store.find(answerOfTurn(turns.at(-1)?.id ?? 0))).toMatchObject({ door: 'terminal' });
  });

  it('is forgotten with it, and with all of them; what programs asked stays', async () => {
    const answer = await api.chat.completions.create({ ...asked, messages: user('Stays.') });
    const { id } = await talk('Goes.');
    await talk('Stays for now.');
    await node.contract.conversations.remove({ id });
    expect(await kept()).toBe(2);
    await node.contract.conversations.removeAll();
    expect([await kept(), (await store.find(answer.id))?.door]).toEqual([1, 'api']);
  });

  it('is not kept while it is private, and what was is forgotten once it becomes so', async () => {
    await talk('Psst.', { private: true });
    expect(await kept()).toBe(0);
    const { id } = await talk('Not yet.');
    expect(await kept()).toBe(1);
    await node.contract.conversations.update({ id, options: { target: 'local', private: true } });
    await Array.fromAsync(await node.contract.conversations.ask({ id, text: 'Psst.' }));
    expect(await kept()).toBe(0);
  });

  it('is forgotten with what was said of it and waits, once its conversation becomes private', async () => {
    const { learning, conversations } = node.contract;
    const { id, turn } = await talk('Not yet.');
    const [waits, thumb] = [
      await learning.give({ answer: answerOfTurn(turn), kind: 'say', text: 'Be shorter.' }),
      await learning.give({ answer: answerOfTurn(turn), kind: 'up' }),
    ];
    await conversations.update({ id, options: { target: 'local', private: true } });
    expect([await kept(), (await learning.status()).feedback.waiting]).toEqual([0, 0]);
    const left = (await learning.feedback({})).feedback.map((each) => each.id);
    expect(left).not.toContain(waits.id);
    expect(left).not.toContain(thumb.id);
  });

  it('that feedback refers to stays when all are forgotten', async () => {
    const { id, turn } = await talk('What is a mesh?');
    const answer = answerOfTurn(turn);
    const { text } = (await node.contract.conversations.get({ id })).turns.at(-1) ?? {};
    const given = await node.contract.learning.give({ answer, kind: 'say', text: 'Be shorter.' });
    expect(given).toMatchObject({ question: 'What is a mesh?', seen: text?.trim(), state: 'waiting' });
    await node.contract.conversations.remove({ id });
    expect(await node.contract.learning.forget()).toEqual({ forgotten: 0 });
    expect(await node.contract.learning.status()).toMatchObject({ answers: { count: 1 }, feedback: { waiting: 1 } });
    await node.contract.learning.withdraw({ id: given.id });
    expect(await node.contract.learning.forget()).toEqual({ forgotten: 1 });
  });
});

describe('what others ask', () => {
  /** Words that stand in no file of a node by chance, each for one way in. */
  const words = (way: string) => `xylophonic-${way}-question`;

  /** Of these ways, those of whose words a file in the node's data folder tells. */
  async function told(ways: readonly string[]): Promise<string[]> {
    const { dataDir } = node.miner.config;
    const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
    const all = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name))));
    return ways.filter((way) => all.some((bytes) => bytes.includes(words(way))));
  }

  it('is kept nowhere: peers of the mesh, callers of the axon, validators, and whoever asks without a door', async () => {
    const { contract, miner, place } = node;
    const client = await node.client();
    await until(() => expect(client.mesh?.client.workers()[0]?.status?.ready).toBe(true));
    const onMesh = { target: 'mesh' as const, maxTokens: 6 };
    const messages = [{ role: 'user' as const, content: words('mesh') }];
    expect((await Array.fromAsync(client.inference.ask({ ...onMesh, messages }))).at(-1)?.type).toBe('done');
    expect(await new CompletionStore(client.db).sum()).toMatchObject({ count: 0 });

    await contract.axon.start();
    const dendrite = await testDendrite();
    const prompt = (way: string) => ({ roles: ['user'], messages: [words(way)], max_tokens: 6, temperature: 0 });
    const whole = await dendrite.call(place, PROMPTING, PROMPTING.fields.parse(prompt('axon')));
    expect(whole.status).toBe(200);
    const stream = dendrite.stream(place, STREAM_PROMPTING, STREAM_PROMPTING.fields.parse(prompt('stream')));
    let next = await stream.next();
    while (!next.done) next = await stream.next();
    expect(next.value.status).toBe(200);

    const practice = { samples: 1, maxTokens: 6, environments: ['sat'] };
    expect(await Array.fromAsync(await contract.validator.practise(practice))).not.toEqual([]);
    const without = [{ role: 'user' as const, content: words('contract') }];
    await Array.fromAsync(await contract.inference.ask({ target: 'local', messages: without, maxTokens: 6 }));
    expect(await kept()).toBe(0);

    await api.chat.completions.create({ ...asked, messages: user(words('own')) });
    expect(await kept()).toBe(1);
    expect(await told(['own', 'mesh', 'axon', 'stream', 'contract'])).toEqual(['own']);
    await talk(words('gone'), { private: true });
    await talk(words('kept'));
    expect(await told(['own', 'kept', 'gone'])).toEqual(['own', 'kept', 'gone']); // the conversations themselves
    await contract.conversations.removeAll();
    expect(await told(['own', 'kept', 'gone'])).toEqual(['own']);
    await contract.learning.forget();
    expect(await told(['own'])).toEqual([]);
    expect(miner.mining?.queue()).toMatchObject({ waiting: 0, active: 0 });
  });
});

interface Scored {
  logprobs: number[];
  tokens: string[];
  prompt_tokens: number;
  completion_tokens: number;
  logprob_sum: number;
}

describe('the API for learning', () => {
  it('scores an answer', async () => {
    const url = node.miner.server?.url;
    const post = (path: string, body: object) =>
      fetch(`${url}${path}`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      });
    const asked = { messages: user('Hi.'), completion: 'Hello there.' };
    const scored = (await (await post('/v1/score', asked)).json()) as Scored;
    expect(scored.logprobs).toHaveLength(scored.completion_tokens);
    expect(scored.tokens.join('')).toBe('Hello there.');
    expect(scored.logprob_sum).toBeCloseTo(
      scored.logprobs.reduce((sum: number, one: number) => sum + one, 0),
      4,
    );
    expect(scored.prompt_tokens).toBeGreaterThan(5);
  });
});
