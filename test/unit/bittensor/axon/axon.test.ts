import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src-main/bittensor/axon/refusal.ts';
import { serve } from '../../../../src-main/bittensor/axon/served-synapse.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { ECHO, echo, send, testAxon, testDendrite, WORDS } from '../../../support/bittensor-axon.ts';
import { testSigner } from '../../../support/bittensor-signer.ts';
import { until } from '../../../support/until.ts';

describe('an axon and a dendrite', () => {
  it('ask and answer, with the caller proven', async () => {
    const callers: string[] = [];
    const { axon, place } = await testAxon({
      synapses: [
        serve(ECHO, (fields, caller, signal) => {
          callers.push(caller.hotkey);
          return echo(fields, caller, signal);
        }),
      ],
    });
    const dendrite = await testDendrite();
    const answers = await dendrite.callAll([place, place], ECHO, { prompt: 'hällo', said: '' });
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, message: 'Success', fields: { prompt: 'hällo', said: 'HÄLLO' } });
    }
    const { address } = await testSigner('//Dendrite');
    expect(callers).toEqual([address, address]);
    expect(axon.report()).toEqual({ answered: 2, refused: new Map(), isReached: false });
  });

  it('stream', async () => {
    const { place } = await testAxon();
    const stream = (await testDendrite()).stream(place, WORDS, { prompt: 'one by one' });
    let text = '';
    let next = await stream.next();
    for (; !next.done; next = await stream.next()) text += Buffer.from(next.value).toString();
    expect([text, next.value]).toMatchObject(['one by one ', { status: 200, message: 'Success' }]);
  });

  it('tell of a refused stream by its status, without a chunk', async () => {
    const { place } = await testAxon({
      synapses: [
        serve(WORDS, async function* () {
          yield* [];
          throw new QuarryError({ code: 'QUEUE_FULL', message: 'All places are taken.' });
        }),
      ],
    });
    const first = await (await testDendrite()).stream(place, WORDS, { prompt: 'one' }).next();
    expect(first).toMatchObject({ done: true, value: { status: 503, message: 'All places are taken.' } });
  });

  it.each([
    ['a refusal', new Refusal(418, 'Short and stout.'), 418, /^Short and stout\.$/],
    ['a wrong request', new QuarryError({ code: 'BAD_REQUEST', message: 'Not like that.' }), 400, /^Not like that\.$/],
    ['anything else', new Error('the secret'), 500, /^Internal Server Error #[\w-]{36}$/],
  ])('tell what a handler throws: %s', async (_, error, status, message) => {
    const handle = () => {
      throw error;
    };
    const { place } = await testAxon({ synapses: [serve(ECHO, handle)] });
    const answer = await (await testDendrite()).call(place, ECHO, { prompt: '', said: '' });
    expect(answer).toMatchObject({ status, message: expect.stringMatching(message), fields: undefined });
  });

  it('end when the time of the caller is over, and the handler hears of it', async () => {
    const told: unknown[] = [];
    const hang = (_fields: unknown, _caller: unknown, signal: AbortSignal) =>
      new Promise<object>((_, reject) => signal.addEventListener('abort', () => reject(told.push(signal.reason))));
    const { place } = await testAxon({ synapses: [serve(ECHO, hang)] });
    const answer = await send({ place, signer: await testSigner('//A'), head: { timeout: 0.05 } });
    const why = { status: 408, message: 'Response timeout after: 0.05s' };
    expect([answer, told]).toMatchObject([why, [why]]);
  });

  it('end when the caller has gone, and the handler hears of it', async () => {
    const told: unknown[] = [];
    const left = new AbortController();
    const hang = (_fields: unknown, _caller: unknown, signal: AbortSignal) => {
      left.abort(new Error('changed my mind'));
      return new Promise<object>((_, reject) =>
        signal.addEventListener('abort', () => reject(told.push(signal.reason))),
      );
    };
    const { place } = await testAxon({ synapses: [serve(ECHO, hang)] });
    const options = { signal: left.signal };
    await expect((await testDendrite()).call(place, ECHO, { prompt: '', said: '' }, options)).rejects.toThrow(
      'my mind',
    );
    await until(() => expect(told).toMatchObject([{ status: 499 }]));
  });

  it('end what is being answered when the axon closes', async () => {
    let asked = 0;
    const hang = () => {
      asked++;
      return new Promise<object>(() => undefined);
    };
    const { axon, place } = await testAxon({ synapses: [serve(ECHO, hang)] });
    const answer = (await testDendrite()).call(place, ECHO, { prompt: '', said: '' });
    await until(() => expect(asked).toBe(1));
    await axon.close();
    expect((await answer).status).toBe(503);
  });
});
