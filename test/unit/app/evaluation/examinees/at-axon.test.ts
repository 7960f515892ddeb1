import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type AxonNeeds, atAxon } from '../../../../../src-main/app/evaluation/examinees/at-axon.ts';
import type { AxonOptions } from '../../../../../src-main/bittensor/axon/axon.ts';
import { Refusal } from '../../../../../src-main/bittensor/axon/refusal.ts';
import { serve } from '../../../../../src-main/bittensor/axon/served-synapse.ts';
import type { Neuron } from '../../../../../src-main/bittensor/chain/metagraph.ts';
import { Dendrite } from '../../../../../src-main/bittensor/dendrite/dendrite.ts';
import { BENCHMARK_EVALUATION } from '../../../../../src-main/subnets/quasar/synapse/benchmark-evaluation.ts';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { testAxon } from '../../../../support/bittensor-axon.ts';
import { testSigner } from '../../../../support/bittensor-signer.ts';
import { freePort } from '../../../../support/free-port.ts';

const { signal } = new AbortController();
const HOW = { maxTokens: 8, signal };
const TASK = { dataset: 'needle', context: 'Long ago.', prompt: 'Read.\n\nLong ago.\n\nWhen was it?' };
const SOURCE = { version: '1', file: 'a', sha256: 'b', row: '1', own: false, templates: 'official' as const };

interface Asked {
  [field: string]: unknown;
}

/** An axon of `//Axon` on subnet 3, and what asking it by `//Dendrite` takes. */
async function world(
  answer: (asked: Asked, times: number) => string = () => 'It was long ago.',
  options: Partial<AxonOptions> = {},
) {
  const asked: Asked[] = [];
  const synapse = serve(BENCHMARK_EVALUATION, (fields, { hotkey }) => {
    asked.push({ ...fields, hotkey });
    return { ...fields, response: answer(fields, asked.length), processing_time: 0.000_001 };
  });
  const { place } = await testAxon({ synapses: [synapse], ...options });
  return { asked, place, ...(await subnetOf(place)) };
}

async function subnetOf({ ip, port, hotkey }: { ip: string; port: number; hotkey: string }) {
  const closed: string[] = [];
  const looked: number[] = [];
  const neurons = [
    { uid: 5, hotkey, axon: { ip, port } },
    { uid: 6, hotkey: (await testSigner('//Silent')).address, axon: undefined },
  ] as Neuron[];
  const needs: AxonNeeds = {
    asker: () => ({ wallet: 'main', hotkey: 'default' }),
    async openHotkey({ wallet }) {
      return {
        ...(await testSigner('//Dendrite')),
        check: async () => {},
        close: async () => void closed.push(wallet),
      };
    },
    async neurons(netuid) {
      looked.push(netuid);
      return netuid === 3 ? { neurons } : undefined;
    },
    allowInside: true,
    firstRetryMs: 1,
  };
  return { closed, looked, needs, target: { kind: 'axon' as const, hotkey, netuid: 3 } };
}

async function opened({ needs, target }: Pick<Awaited<ReturnType<typeof world>>, 'needs' | 'target'>) {
  const examinee = await atAxon(needs, target, signal);
  onTestFinished(() => examinee[Symbol.asyncDispose]());
  return examinee;
}

it('asks a miner that the chain tells of as its validators do, in the name of the hotkey that is set', async () => {
  const { asked, closed, needs, target } = await world(() => '<think>Long.</think>It was long ago.');
  const examinee = await atAxon(needs, target, signal);
  expect(examinee).toMatchObject({ model: target.hotkey, sha256: null, room: null });
  const { text, firstMs, totalMs, promptTokens } = await examinee.ask(TASK, HOW);
  expect({ text, promptTokens }).toEqual({ text: 'It was long ago.', promptTokens: null });
  expect(firstMs).toBeGreaterThan(0.01); // whatever the miner says of its own speed
  expect(totalMs).toBeGreaterThanOrEqual(firstMs);
  const { address: hotkey } = await testSigner('//Dendrite');
  expect(asked).toMatchObject([
    { hotkey, task_type: 'needle_haystack', context: 'Long ago.', prompt: 'When was it?', max_tokens: 8 },
  ]);
  await examinee[Symbol.asyncDispose]();
  expect(closed).toEqual(['main']);
});

it('says of a published question all that its template has around the text', async () => {
  const { asked, ...miner } = await world();
  await (await opened(miner)).ask({ ...TASK, dataset: 'qasper', source: SOURCE }, HOW);
  expect(asked).toMatchObject([{ task_type: 'longbench', dataset_name: 'qasper', prompt: 'Read.\n\nWhen was it?' }]);
});

it('takes the times of first and last byte itself', async () => {
  const first = Promise.withResolvers<void>();
  const { call } = Dendrite.prototype;
  const spied = vi.spyOn(Dendrite.prototype, 'call').mockImplementation(function (
    this: Dendrite,
    axon,
    synapse,
    fields,
    options = {},
  ) {
    const onFirstByte = () => {
      options.onFirstByte?.();
      if (options.onFirstByte) first.resolve();
    };
    return call.call(this, axon, synapse, fields, { ...options, onFirstByte });
  });
  onTestFinished(() => spied.mockRestore());
  let goOn = () => {};
  const place = await anyAxon(async (request, response) => {
    const question = (await json(request)) as Asked;
    response.writeHead(200, { 'content-type': 'application/json', bt_header_axon_status_code: '200' });
    if (request.url === '/Synapse') return void response.end(JSON.stringify(question));
    const body = JSON.stringify({ ...question, response: 'Late.' });
    response.write(body.slice(0, 1));
    goOn = () => response.end(body.slice(1));
  });
  const answer = (await opened(await subnetOf(place))).ask(TASK, HOW);
  await first.promise; // whoever asks has it: however late that was, the rest is later
  const heldFrom = performance.now();
  while (performance.now() - heldFrom < 20) await new Promise((resolve) => setImmediate(resolve));
  goOn();
  const { firstMs, totalMs } = await answer;
  expect(totalMs - firstMs).toBeGreaterThan(10);
});

it('goes to an address that somebody names, and asks no chain', async () => {
  const { needs, target, place, looked } = await world();
  const { ip, port } = place;
  const at = { kind: 'axon' as const, hotkey: target.hotkey, at: { ip, port } };
  const examinee = await opened({ needs: { ...needs, allowInside: false }, target: at as never });
  expect((await examinee.ask(TASK, HOW)).text).toBe('It was long ago.');
  expect(looked).toEqual([]);
  const inside = atAxon({ ...needs, allowInside: false }, target, signal);
  await expect(inside).rejects.toMatchObject({ code: 'WORKER_LOST' });
});

it('says what is missing before anything is asked', async () => {
  const { needs, target, asked } = await world();
  const silent = (await testSigner('//Silent')).address;
  const nobody = (await testSigner('//Nobody')).address;
  const message = async (changed: object, other: Partial<AxonNeeds> = {}) => {
    const opening = atAxon({ ...needs, ...other }, { ...target, ...changed }, signal);
    const { message, hint } = await opening.then(() => ({ message: '', hint: '' }), QuarryError.from);
    return [message, hint];
  };
  expect(await message({}, { asker: () => undefined })).toEqual([
    'A miner is asked in the name of a hotkey, and none is set.',
    'Set validator.wallet and validator.hotkey, or axon.wallet and axon.hotkey.',
  ]);
  expect(await message({ netuid: undefined })).toEqual([
    'Nothing says on which subnet this miner is.',
    'Set validator.netuid or axon.netuid, or say where its axon is.',
  ]);
  expect((await message({ netuid: 4 }))[0]).toBe('There is no subnet 4.');
  expect((await message({ hotkey: nobody }))[0]).toBe(`Nobody on subnet 3 has the hotkey ${nobody}.`);
  expect((await message({ hotkey: silent }))[0]).toBe(`On subnet 3, ${silent} has announced no axon.`);
  expect((await message({ hotkey: `5${'D'.repeat(47)}` }))[0]).toContain('address');
  expect(asked).toEqual([]);
});

it('tells in words whom an axon refuses, before anything is asked, and lets the hotkey go', async () => {
  const { needs, target, closed } = await world(undefined, {
    rules: { metagraph: () => undefined, needsPermit: true },
  });
  const { address } = await testSigner('//Dendrite');
  await expect(atAxon(needs, target, signal)).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    message: `${target.hotkey} refuses to answer: 403 Forbidden. Key is blacklisted: Unrecognized hotkey.`,
    hint: expect.stringContaining(`in the name of ${address}`),
  });
  expect(closed).toEqual(['main']);
  const other = await world();
  const at = { kind: 'axon' as const, hotkey: (await testSigner('//Other')).address, at: other.place };
  const { ip, port } = at.at;
  await expect(atAxon(other.needs, { ...at, at: { ip, port } }, signal)).rejects.toMatchObject({
    message: expect.stringContaining('401'),
    hint: expect.stringContaining('clock'),
  });
});

it('tells a text that is too long for it from what cannot be asked, and tries again what may pass', async () => {
  const { place, ...full } = await world(() => {
    throw new Refusal(400, 'The prompt has 40,000 tokens; the context has 8,192.');
  });
  await expect((await opened(full)).ask(TASK, HOW)).rejects.toMatchObject({ code: 'CONTEXT_TOO_LONG' });
  const large = { ...TASK, context: 'a '.repeat(4_000_000) };
  await expect((await opened(full)).ask(large, HOW)).rejects.toMatchObject({ code: 'CONTEXT_TOO_LONG' });
  const busy = await world((_, times) => {
    if (times < 3) throw new Refusal(503, 'Busy.');
    return 'At last.';
  });
  expect((await (await opened(busy)).ask(TASK, HOW)).text).toBe('At last.');
  const broken = await world(() => {
    throw new Refusal(422, 'No.');
  });
  await expect((await opened(broken)).ask(TASK, HOW)).rejects.toMatchObject({ code: 'WORKER_LOST', retryable: false });
  expect(broken.asked).toHaveLength(1);
});

it('says where nobody is, what answers other questions, and what talks without an end', async () => {
  const { address: hotkey } = await testSigner('//Axon');
  const away = await subnetOf({ ip: '127.0.0.1', port: await freePort(), hotkey });
  await expect(atAxon(away.needs, away.target, signal)).rejects.toMatchObject({
    message: expect.stringContaining('did not answer: 503'),
  });
  const other = await world(undefined, { synapses: [] });
  await expect((await opened(other)).ask(TASK, HOW)).rejects.toMatchObject({
    message: expect.stringContaining('no questions about long texts'),
  });
  const endless = await anyAxon((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json', bt_header_axon_status_code: '200' });
    if (request.url === '/Synapse') return void response.end('{}');
    const more = () => {
      while (!response.destroyed && response.write('"'.repeat(100_000)));
    };
    response.on('drain', more);
    more();
  });
  await expect((await opened(await subnetOf(endless))).ask(TASK, HOW)).rejects.toMatchObject({ code: 'WORKER_LOST' });
});

it('ends with its signal', async () => {
  const stop = new AbortController();
  const miner = await world(() => {
    stop.abort(new Error('enough'));
    throw new Refusal(503, 'Busy.');
  });
  await expect((await opened(miner)).ask(TASK, { ...HOW, signal: stop.signal })).rejects.toThrow('enough');
});

/** Whatever answers at a port, by the name of `//Axon`. */
async function anyAxon(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { address: hotkey } = await testSigner('//Axon');
  return { ip: '127.0.0.1', port: (server.address() as AddressInfo).port, hotkey };
}
