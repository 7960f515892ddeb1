import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROMPTING, STREAM_PROMPTING } from '../../src-main/bittensor/synapse/prompting.ts';
import { type AxonNode, openAxonNode } from '../support/axon-node.ts';
import { signedRequest, testDendrite } from '../support/bittensor-axon.ts';
import { SHEET_KEY } from '../support/bittensor-key.ts';
import { testSigner } from '../support/bittensor-signer.ts';
import { SLOW } from '../support/engine.ts';
import { until } from '../support/until.ts';

let node: AxonNode;
beforeAll(async () => {
  node = await openAxonNode();
});
afterAll(() => node?.[Symbol.asyncDispose]());

const asked = { roles: ['user'], messages: ['Say something.'], max_tokens: 8, temperature: 0 };
const whole = PROMPTING.fields.parse(asked);
const streamed = (max_tokens = 8) => STREAM_PROMPTING.fields.parse({ ...asked, max_tokens });

async function read(stream: AsyncGenerator<Uint8Array, { status: number; message: string }>) {
  let text = '';
  let next = await stream.next();
  for (; !next.done; next = await stream.next()) text += Buffer.from(next.value).toString();
  return { text, status: next.value.status, message: next.value.message };
}

/** What the OpenAI API of the node tells who scrapes it. */
async function metric(name: string): Promise<string | undefined> {
  const url = new URL('/metrics', node.miner.server?.url);
  const lines = (await (await fetch(url)).text()).split('\n');
  return lines
    .find((line) => line.startsWith(name))
    ?.split(' ')
    .at(-1);
}

describe('a miner with an axon', () => {
  it('answers who signs, out of its own model, once it was started', async () => {
    const { contract, place } = node;
    const dendrite = await testDendrite();
    expect((await dendrite.call(place, PROMPTING, whole)).status).toBe(503);
    expect(await contract.axon.state()).toMatchObject({ running: false, hotkey: null, reach: { status: 'skip' } });
    expect(await contract.axon.start()).toMatchObject({
      running: true,
      hotkey: { wallet: 'main', hotkey: 'default', address: SHEET_KEY.address },
      port: place.port,
    });
    const { status, fields } = await dendrite.call(place, PROMPTING, whole);
    expect([status, fields]).toMatchObject([200, { model: 'endless', finish_reason: 'length', completion_tokens: 8 }]);
    expect(fields?.completion).not.toBe('');
    expect(await read(dendrite.stream(place, STREAM_PROMPTING, streamed()))).toMatchObject({
      text: fields?.completion,
      status: 200,
    });
    expect(await contract.axon.state()).toMatchObject({ answered: 2, refused: [] });
    expect([await metric('quarry_axon_running'), await metric('quarry_axon_answered_total')]).toEqual(['1', '2']);
  });

  it('books nothing of it, and counts it as work', async () => {
    const { contract, miner } = node;
    expect(await miner.db.selectFrom('ledger_entries').selectAll().execute()).toEqual([]);
    expect((await contract.node.status()).speed?.tokensPerSecond).toBeGreaterThan(0);
  });

  it('serves clients of the mesh and hotkeys at once, one queue for both', async () => {
    const { miner, place } = node;
    const client = await node.client();
    await until(() => expect(client.mesh?.client.workers()[0]?.status?.ready).toBe(true));
    const dendrite = await testDendrite('//Both');
    const question = { target: 'mesh' as const, messages: [{ role: 'user' as const, content: 'Both' }], maxTokens: 8 };
    const onMesh = async () => (await Array.fromAsync(client.inference.ask(question))).at(-1);
    const answers = await Promise.all([
      ...Array.from({ length: 3 }, onMesh),
      ...Array.from({ length: 3 }, async () => (await dendrite.call(place, PROMPTING, whole)).status),
    ]);
    expect(answers).toMatchObject([...Array(3).fill({ type: 'done' }), 200, 200, 200]);
    expect(miner.mining?.queue()).toMatchObject({ waiting: 0, active: 0 });
  });

  it('ends an answer whose caller hangs up, and frees the engine', async () => {
    const { miner, place } = node;
    miner.engine?.slot.current?.engine?.setSpeed(SLOW);
    const dendrite = await testDendrite('//Gone');
    const leaving = new AbortController();
    const stream = dendrite.stream(place, STREAM_PROMPTING, streamed(4_000), { signal: leaving.signal });
    expect((await stream.next()).done).toBe(false);
    expect(miner.mining?.queue().active).toBe(1);
    leaving.abort();
    await expect(stream.next()).rejects.toThrow();
    await until(() => expect(miner.mining?.queue().active).toBe(0));
    miner.engine?.slot.current?.engine?.setSpeed(1);
  });

  it('says when it is paused, and when to come again', async () => {
    const { contract, place } = node;
    await contract.node.stopMining();
    const signer = await testSigner('//Paused');
    const request = await signedRequest({ place, signer, type: PROMPTING as never, fields: whole });
    const answer = await fetch(`http://127.0.0.1:${place.port}/Prompting`, request);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toEqual({ message: 'Mining is stopped.' });
    await contract.node.startMining();
    expect((await contract.axon.state()).refused).toEqual([{ status: 503, count: 1 }]);
  });

  it('takes no request again after a restart of its axon, and none at all while that is closed', async () => {
    const { contract, place } = node;
    const signer = await testSigner('//Again');
    const request = await signedRequest({ place, signer, type: PROMPTING as never, fields: whole });
    const url = `http://127.0.0.1:${place.port}/Prompting`;
    const again = async () => (await fetch(url, request)).status;
    expect(await again()).toBe(200);
    expect(await again()).toBe(401);
    expect(await contract.axon.stop()).toMatchObject({ running: false, port: null });
    await expect(again()).rejects.toThrow();
    await contract.axon.start();
    expect(await again()).toBe(401);
    const dendrite = await testDendrite('//Fresh');
    // Nonces up to two seconds ahead of the last one count as taken: a killed axon cannot know which of them were.
    await until(async () => expect((await dendrite.call(place, PROMPTING, whole)).status).toBe(200));
  });
});

describe('an axon that was opened', () => {
  it('opens again with the node, until it is closed, and follows the setting', async () => {
    await using alone = await openAxonNode();
    await alone.contract.axon.start();
    const contract = await alone.restart();
    expect(await contract.axon.state()).toMatchObject({ running: true });
    const isSet = async () =>
      (await contract.settings.list()).settings.find(({ path }) => path === 'axon.enabled')?.value;
    expect(await isSet()).toBe(true);
    await contract.axon.stop();
    expect(await isSet()).toBe(false);
    await contract.settings.set({ changes: { 'axon.enabled': true } });
    await until(async () => expect((await contract.axon.state()).running).toBe(true));
    await contract.settings.set({ changes: { 'axon.enabled': null } });
    await until(async () => expect((await contract.axon.state()).running).toBe(false));
  });

  it('does so for as long as the environment lets it, where that says otherwise', async () => {
    await using alone = await openAxonNode({ QUARRY_AXON_ENABLED: 'false' });
    expect(await alone.contract.axon.start()).toMatchObject({ running: true });
    expect(await (await alone.restart()).axon.state()).toMatchObject({ running: false });
  });
});

describe('an axon that cannot be opened', () => {
  it.each([
    ['without a wallet', { BT_WALLET_NAME: '' }, { code: 'CONFIG_INVALID', field: 'axon.wallet' }],
    ['of a hotkey that is not there', { BT_WALLET_HOTKEY: 'none' }, { code: 'BAD_REQUEST' }],
    ['for the registered of no subnet', { QUARRY_AXON_CALLERS: 'registered' }, { field: 'axon.netuid' }],
  ])('%s leaves the node there, and says why', async (_, env, why) => {
    await using alone = await openAxonNode({ QUARRY_AXON_ENABLED: 'true', ...env });
    const { contract } = alone;
    expect(await contract.axon.state()).toMatchObject({ running: false, error: { hint: expect.any(String) } });
    await expect(contract.axon.start()).rejects.toMatchObject({ data: why });
  });

  it('opens by itself where that is set, and answers only the registered', async () => {
    const env = { QUARRY_AXON_ENABLED: 'true', QUARRY_AXON_CALLERS: 'registered', QUARRY_AXON_NETUID: '1' };
    await using alone = await openAxonNode(env);
    expect(await alone.contract.axon.state()).toMatchObject({ running: true, netuid: 1 });
    const answer = await (await testDendrite('//Stranger')).call(alone.place, PROMPTING, whole);
    expect(answer).toMatchObject({ status: 503, message: expect.stringContaining('not known yet') });
  });
});
