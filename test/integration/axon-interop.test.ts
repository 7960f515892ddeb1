import { describe, expect, it, onTestFinished } from 'vitest';
import { askOfficially, OfficialAxon, type OfficialCall } from '../../src-main/bench/axon/official-sdk.ts';
import { serve } from '../../src-main/bittensor/axon/served-synapse.ts';
import { PING } from '../../src-main/bittensor/synapse/synapse.ts';
import { openAxonNode } from '../support/axon-node.ts';
import { ECHO, send, testAxon, testDendrite, WORDS } from '../support/bittensor-axon.ts';
import { testSigner } from '../support/bittensor-signer.ts';
import { freePort } from '../support/free-port.ts';
import { PYTHON } from '../support/official-python.ts';

describe.skipIf(!PYTHON)('Bittensor’s own software', () => {
  const ask = (place: { port: number; hotkey: string }, ...calls: OfficialCall[]) =>
    askOfficially(String(PYTHON), place, calls);

  it('asks our axon, plainly and as a stream', async () => {
    const { place } = await testAxon();
    const uri = '//Official';
    expect(
      await ask(
        place,
        { uri, name: 'Echo', prompt: 'hällo "du"\n' },
        { uri, name: 'Words', prompt: 'one by one' },
        { uri, name: 'Synapse', prompt: '' },
      ),
    ).toMatchObject([
      { status: 200, message: 'Success', success: true, said: 'HÄLLO "DU"\n' },
      { status: 200, message: 'Success', success: true },
      { status: 200, message: 'Success', success: true },
    ]);
    const [streamed] = await ask(place, { uri, name: 'Words', prompt: 'one by one' });
    expect(streamed?.chunks.join('')).toBe('one by one ');
  });

  it('understands why it is refused', async () => {
    const { address: banned } = await testSigner('//Banned');
    const hang = () => new Promise<object>(() => undefined);
    const broken = () => {
      throw new Error('the secret');
    };
    const known = { stake: 0n, permit: false };
    const metagraph = (hotkey: string) => (hotkey === banned ? undefined : known);
    const { place } = await testAxon({ rules: { metagraph, needsNeuron: true } });
    const slow = await testAxon({ synapses: [serve(ECHO, hang)] });
    const failing = await testAxon({ synapses: [serve(ECHO, broken)] });
    const call = { uri: '//Official', name: 'Echo', prompt: 'x' } as const;
    const forged = 'Not Verified with error: Signature mismatch';
    const bad = 'Forbidden. Key is blacklisted: Unrecognized hotkey.';
    expect(await ask(place, { ...call, forged: true }, { ...call, name: 'Words', forged: true })).toMatchObject([
      { status: 401, message: forged, success: false },
      { status: 401, message: forged, success: false, chunks: [] },
    ]);
    expect(await ask(place, { ...call, uri: '//Banned' })).toMatchObject([{ status: 403, message: bad }]);
    expect(await ask({ ...place, hotkey: banned }, call)).toMatchObject([{ status: 401, message: forged }]);
    expect(await ask(slow.place, { ...call, timeout: 1 })).toMatchObject([{ status: 408 }]);
    expect(await ask(failing.place, call, { ...call, name: 'Words' })).toMatchObject([
      { status: 500, message: expect.stringMatching(/^Internal Server Error #/) },
      { status: 404, message: "Synapse name 'Words' not found. Available synapses ['Synapse', 'Echo']" },
    ]);
    expect(await ask({ ...place, port: await freePort() }, call)).toMatchObject([{ status: 503 }]);
  });

  it('is asked by our dendrite, plainly and as a stream', async () => {
    const place = await officialAxon();
    const dendrite = await testDendrite();
    const fields = { prompt: 'hällo "du"\n', said: '' };
    expect(await dendrite.call(place, ECHO, fields)).toMatchObject({
      status: 200,
      message: 'Success',
      fields: { said: 'HÄLLO "DU"\n' },
    });
    expect(await dendrite.call(place, PING, {})).toMatchObject({ status: 200, message: 'Success' });
    const stream = dendrite.stream(place, WORDS, { prompt: 'one by one' });
    let text = '';
    let next = await stream.next();
    for (; !next.done; next = await stream.next()) text += Buffer.from(next.value).toString();
    expect([text, next.value]).toMatchObject(['one by one ', { status: 200 }]);
  });

  it('refuses our dendrite where it is wrong', async () => {
    const place = await officialAxon();
    const { address } = await testSigner('//Other');
    const dendrite = await testDendrite();
    const fields = { prompt: 'x', said: '' };
    expect(await dendrite.call({ ...place, hotkey: address }, ECHO, fields)).toMatchObject({ status: 401 });
    const stream = await dendrite.stream({ ...place, hotkey: address }, WORDS, { prompt: 'x' }).next();
    expect(stream).toMatchObject({ done: true, value: { status: 401 } });
    const signer = await testSigner('//Hand');
    const late = { nonce: BigInt(Date.now() - 20_000) * 1_000_000n };
    expect((await send({ place, signer, head: late })).status).toBe(401);
    expect((await send({ place, signer })).status).toBe(200);
    const changed = await send({ place, signer, body: JSON.stringify({ prompt: 'changed on the way' }) });
    expect(changed).toEqual({ status: 500, message: expect.stringMatching(/^Internal Server Error #/) });
  });

  it('asks the model of a whole miner, in one piece and as it is written', async () => {
    await using node = await openAxonNode();
    await node.contract.axon.start();
    const call = { uri: '//Official', prompt: 'Hällo "du"' } as const;
    const [first, second] = await ask(node.place, { ...call, name: 'Prompting' }, { ...call, name: 'StreamPrompting' });
    expect(first).toMatchObject({ status: 200, message: 'Success', success: true, tokens: 8, model: 'endless' });
    expect(first?.said).not.toBe('');
    expect(second).toMatchObject({ status: 200, success: true });
    expect(second?.chunks.join('')).toBe(first?.said);
  });

  async function officialAxon() {
    const port = await freePort();
    const axon = new OfficialAxon(String(PYTHON));
    onTestFinished(() => axon.close());
    await axon.open(port);
    return { ip: '127.0.0.1', port, hotkey: (await testSigner('//Axon')).address };
  }
});
