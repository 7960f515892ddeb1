import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openWeightSetting, type WeightSettingOptions } from '../../../../src-main/app/validator/weight-setting.ts';
import { passwordVariable } from '../../../../src-main/bittensor/wallet/password-variable.ts';
import { Wallets } from '../../../../src-main/bittensor/wallet/wallets.ts';
import type { SentCall } from '../../../../src-preload/contract/chain.ts';
import { writeKey } from '../../../support/local-wallets.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';
import { openTestSigner, SIGNER_TOKEN } from '../../../support/signer.ts';

const SENT: SentCall = {
  ...{ id: 1, at: 1, network: 'finney', action: 'weights', state: 'waiting', from: 'v', to: 'v', netuid: 3 },
  ...{ moves: '0', fee: '0', hash: '0xab', block: null },
};

/** A chain with two miners on subnet 3, that takes what it is sent. */
function chain() {
  const drafted: unknown[] = [];
  const sent: unknown[] = [];
  const part: WeightSettingOptions['chain'] = {
    neurons: async () => ({ neurons: [0, 1, 2].map((uid) => ({ uid, hotkey: `m${uid}` })) }) as never,
    neuron: async () => ({ uid: 0, block: 500, validatorPermit: true, lastUpdate: 400, weightsIn: 0 }),
    rules: async () => ({ tempo: 360, weightsRateLimit: 100n }) as never,
    draft: async (wanted) => {
      drafted.push(wanted);
      return { id: 'd', warnings: [] } as never;
    },
    async *send(input) {
      sent.push(input);
      yield SENT;
    },
    calls: async () => ({ calls: [{ ...SENT, netuid: 4 }] }),
  };
  return { part, drafted, sent };
}

const SHARES = {
  shares: new Map([
    ['m1', 0.5],
    ['m2', 0.25],
  ]),
  burnt: 0.25,
};

it('weights are set with a hotkey of this computer, whose password is where the official software has it', async () => {
  const folder = await temporaryFolder();
  const wallets = new Wallets({ folder: join(folder.path, 'wallets') });
  onTestFinished(async () => {
    await wallets.close();
    await folder.remove();
  });
  const key = { wallet: 'main', hotkey: 'hot' };
  const address = await writeKey(wallets.folder, key);
  const { part, drafted, sent } = chain();
  const name = passwordVariable(wallets.filesOf(key).file);
  const hidden = Buffer.from([...'word'].map((char, at) => char.charCodeAt(0) ^ name.charCodeAt(at))).toString(
    'base64',
  );
  const options = { chain: part, wallets: async () => wallets, netuid: 3, by: { key } };
  const { setter, close } = await openWeightSetting({ ...options, environment: { [name]: hidden } });
  expect(await setter.set(SHARES, { wait: false })).toMatchObject({ pending: true, uids: [1, 2, 0] });
  const weights = [
    { uid: 1, weight: 65_535 },
    { uid: 2, weight: 32_768 },
    { uid: 0, weight: 32_768 },
  ];
  expect(drafted).toEqual([{ action: 'weights', ...key, netuid: 3, weights }]);
  expect(sent).toEqual([{ id: 'd', password: 'word' }]);
  expect(await setter.due()).toMatchObject({ hotkey: address, blocksToWait: 261 });
  await close();
  const missing = openWeightSetting({ ...options, by: { key: { ...key, hotkey: 'none' } } });
  await expect(missing).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

it('or by a signer service', async () => {
  const { service, sent, key } = await openTestSigner();
  const { part, drafted } = chain();
  const by = { signer: { url: service.url, token: SIGNER_TOKEN } };
  const nobody = async () => {
    throw new Error('no wallet is looked for');
  };
  const { setter, close } = await openWeightSetting({ chain: part, wallets: nobody, netuid: 3, by });
  onTestFinished(close);
  expect(await setter.due()).toMatchObject({ hotkey: key.address });
  expect(await setter.set(SHARES, { wait: true })).toMatchObject({ pending: false, block: 7 });
  expect(sent).toEqual([{ netuid: 3, uids: [1, 2, 0], weights: [65_535, 32_768, 32_768], wait: true }]);
  expect(drafted).toEqual([]);
});
