import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WeightKeeper, type WeightKeeperOptions } from '../../../../src-main/app/validator/weight-keeper.ts';
import type { WeightKey } from '../../../../src-main/app/validator/weight-setting.ts';
import type { WeightsDue } from '../../../../src-main/bittensor/weights/weight-setter.ts';
import type { MinerWeights } from '../../../../src-main/bittensor/weights/weights-plan.ts';
import { type ValidatorSettings, validatorSettings } from '../../../../src-main/validation/validator-settings.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { until } from '../../../support/until.ts';

const DUE: WeightsDue = {
  ...{ hotkey: '5F', uid: 1, validatorPermit: true, block: 1_000, lastSetBlock: 1, tempo: 360, rateLimit: 100 },
  blocksToWait: 0,
};
const WEIGHTS: MinerWeights = { shares: new Map([['5G', 1]]), burnt: 0.1 };
const NOW = 1_795_000_000_000;

let settings: ValidatorSettings;
let due: WeightsDue;
let set: MinerWeights[];
let opened: { netuid: number; by: WeightKey }[];
let closed: number;
let refusal: QuarryError | undefined;
const keepers: WeightKeeper[] = [];

beforeEach(() => {
  const own = { setWeights: 'wallet', netuid: 7, wallet: 'main' };
  settings = validatorSettings.shape.validator.parse(own);
  due = DUE;
  set = [];
  opened = [];
  closed = 0;
  refusal = undefined;
});
afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.close()));
});

function keeperOf(changes: Partial<WeightKeeperOptions> = {}): WeightKeeper {
  const setter = {
    due: async () => due,
    set: async (wanted: MinerWeights) => {
      if (refusal) throw refusal;
      set.push(wanted);
      due = { ...due, blocksToWait: 361 };
      return {
        uids: [3],
        weights: [65_535],
        leftOut: ['elsewhere'],
        pending: false,
        block: 9,
        hash: null,
        warnings: [],
      };
    },
  };
  const keeper = new WeightKeeper({
    settings: () => settings,
    weigh: async () => WEIGHTS,
    open: async (netuid, by) => {
      opened.push({ netuid, by });
      return { setter, close: async () => void closed++ };
    },
    onChange: () => {},
    now: () => NOW,
    log: pino({ level: 'silent' }),
    ...changes,
  });
  keepers.push(keeper);
  return keeper;
}

describe('weights of a validator', () => {
  it('are set when it is time, and then not again before the next epoch', async () => {
    const keeper = keeperOf();
    keeper.open();
    await until(() => expect(keeper.view().setAt).toBe(NOW));
    expect(set).toEqual([WEIGHTS]);
    expect(opened).toEqual([{ netuid: 7, by: { key: { wallet: 'main', hotkey: 'default' } } }]);
    expect(keeper.view()).toMatchObject({
      way: 'wallet',
      netuid: 7,
      onSubnet: 1,
      isSetting: false,
      fault: null,
    });
    expect(closed).toBe(opened.length);
  });

  it('say who signs them, and whose hotkey that is as long as it is the same one', async () => {
    const keeper = keeperOf();
    expect(keeper.view()).toMatchObject({ by: 'main/default', hotkey: null });
    keeper.open();
    await until(() => expect(keeper.view()).toMatchObject({ by: 'main/default', hotkey: '5F' }));
    settings = { ...settings, wallet: 'other' };
    expect(keeper.view()).toMatchObject({ by: 'other/default', hotkey: null });
    settings = { ...settings, setWeights: 'signer', signerUrl: 'http://127.0.0.1:8092' };
    expect(keeper.view()).toMatchObject({ by: 'http://127.0.0.1:8092', hotkey: null });
    settings = { ...settings, setWeights: 'off' };
    expect(keeper.view()).toMatchObject({ by: null, hotkey: null });
  });

  it('wait until it is time, and say when that is', async () => {
    due = { ...DUE, blocksToWait: 100 };
    const keeper = keeperOf();
    keeper.open();
    await until(() => expect(keeper.view().nextAt).toBe(NOW + 1_200_000));
    expect(set).toEqual([]);
  });

  it('are not set where the settings say so', async () => {
    settings = { ...settings, setWeights: 'off' };
    const keeper = keeperOf();
    keeper.open();
    await keeper.close();
    expect(opened).toEqual([]);
    await expect(keeper.setNow(new AbortController().signal)).rejects.toMatchObject({ field: 'validator.setWeights' });
  });

  it('are set by a signer whose address and token are known', async () => {
    const signer = { setWeights: 'signer' as const, signerUrl: 'http://127.0.0.1:8092', signerToken: 'secret' };
    settings = { ...settings, ...signer };
    await keeperOf().setNow(new AbortController().signal);
    expect(opened).toEqual([{ netuid: 7, by: { signer: { url: signer.signerUrl, token: 'secret' } } }]);
    settings = { ...settings, signerToken: undefined };
    await expect(keeperOf().setNow(new AbortController().signal)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it.each([
    ['no subnet', { netuid: undefined }, 'validator.netuid'],
    ['no wallet', { wallet: undefined }, 'validator.wallet'],
  ])('are not set with %s, and that is told', async (_, change, field) => {
    settings = { ...settings, ...change };
    const keeper = keeperOf();
    await expect(keeper.setNow(new AbortController().signal)).rejects.toMatchObject({ field });
    expect(keeper.view().fault).toMatchObject({ text: expect.stringMatching(/none is chosen/) });
  });

  it('that are refused are told of, until they are taken', async () => {
    refusal = new QuarryError({ code: 'CHAIN_REFUSED', message: 'Too soon.' });
    const keeper = keeperOf();
    await expect(keeper.setNow(new AbortController().signal)).rejects.toBe(refusal);
    expect(keeper.view()).toMatchObject({ fault: { text: 'Too soon.' }, setAt: null, isSetting: false });
    refusal = undefined;
    expect(await keeper.setNow(new AbortController().signal)).toMatchObject({ fault: null, setAt: NOW });
    expect(closed).toBe(opened.length);
  });
});
