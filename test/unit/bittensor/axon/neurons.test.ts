import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KnownNeurons, type Neurons } from '../../../../src-main/bittensor/axon/neurons.ts';
import { ECHO, testAxon, testDendrite } from '../../../support/bittensor-axon.ts';
import { testSigner } from '../../../support/bittensor-signer.ts';
import { until } from '../../../support/until.ts';

const log = pino({ level: 'silent' });
const RAO = 1_000_000_000n;

/** A chain that says what a test wants it to, and what is known of it. */
async function open(everyMs = 60_000, retryMs = 60_000) {
  const hotkeys = await Promise.all(
    ['//Validator', '//Miner', '//Poor'].map(async (uri) => (await testSigner(uri)).address),
  );
  const [validator = '', miner = '', poor = ''] = hotkeys;
  const chain = {
    asked: 0,
    down: false,
    neurons: [
      { hotkey: validator, validatorPermit: true, totalStake: 5_000n * RAO },
      { hotkey: miner, validatorPermit: false, totalStake: 1_000n * RAO, axon: { ip: '203.0.113.9', port: 8_091 } },
      { hotkey: poor, validatorPermit: true, totalStake: 1n },
    ] as Neurons['neurons'] | undefined,
  };
  const read = async () => {
    chain.asked++;
    if (chain.down) throw new Error('nobody is there');
    return chain.neurons && { neurons: chain.neurons };
  };
  const known = new KnownNeurons({ read, everyMs, retryMs, log });
  onTestFinished(() => known.close());
  return { chain, known, validator, miner };
}

describe('who is registered', () => {
  it('is known once the chain has told, and refused as unknown to nobody before', async () => {
    const { known, validator, miner } = await open();
    expect(() => known.find(validator)).toThrow(expect.objectContaining({ status: 503 }));
    await known.look();
    expect(known.find(validator)).toEqual({ stake: 5_000n * RAO, permit: true });
    expect(known.find((await testSigner('//Nobody')).address)).toBeUndefined();
    expect([known.placeOf(miner), known.placeOf(validator)]).toEqual([{ ip: '203.0.113.9', port: 8_091 }, undefined]);
  });

  it('stays as it was known while the chain is away, and is asked for again', async () => {
    const { chain, known, validator } = await open(1, 1);
    expect(known.age).toEqual({ readAt: null, stale: false });
    await known.look();
    chain.down = true;
    await until(() => expect(known.age.stale).toBe(true));
    const { readAt } = known.age;
    const { asked } = chain;
    await until(() => expect(chain.asked).toBeGreaterThan(asked + 1));
    expect(known.find(validator)).toBeDefined();
    expect(known.age).toEqual({ readAt, stale: true });
    chain.down = false;
    await until(() => expect(known.age).toEqual({ readAt: expect.any(Number), stale: false }));
    chain.neurons = [];
    await until(() => expect(known.find(validator)).toBeUndefined());
  });

  it('is nobody on a subnet that is not there', async () => {
    const { chain, known, validator } = await open();
    chain.neurons = undefined;
    await known.look();
    expect(known.find(validator)).toBeUndefined();
  });

  it('is not asked for any more once that is closed', async () => {
    const { chain, known } = await open(1, 1);
    known.open();
    await until(() => expect(chain.asked).toBeGreaterThan(2));
    known.close();
    await known.look();
    const { asked } = chain;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(chain.asked).toBe(asked);
  });

  it.each([
    ['anyone', {}, [200, 200, 200, 200]],
    ['registered', { needsNeuron: true }, [200, 200, 200, 403]],
    ['validators', { needsNeuron: true, needsPermit: true }, [200, 403, 200, 403]],
    ['those with a stake', { leastStake: 2n * RAO }, [200, 200, 403, 403]],
  ])('decides whom an axon for %s answers', async (_, rules, statuses) => {
    const { known } = await open();
    await known.look();
    const { place } = await testAxon({ rules: { metagraph: (hotkey) => known.find(hotkey), ...rules } });
    const asked = ['//Validator', '//Miner', '//Poor', '//Nobody'].map(async (uri) => {
      return (await (await testDendrite(uri)).call(place, ECHO, { prompt: 'x', said: '' })).status;
    });
    expect(await Promise.all(asked)).toEqual(statuses);
  });
});
