import { describe, expect, it } from 'vitest';
import { chosenKey, chosenWallet, hotkeyAddress, payeeAddress } from '../../../../src-main/cli/bittensor/key-choice.ts';
import { percent } from '../../../../src-main/cli/bittensor/percent.ts';
import type { CommandContext } from '../../../../src-main/cli/terminal/command.ts';
import type { NodeClient } from '../../../../src-main/cli/terminal/node-client.ts';
import { scriptedWallets } from '../../../support/screens/script/wallet.ts';

describe('a tolerance on the command line', () => {
  it.each([
    ['0.5%', 0.5],
    ['5%', 5],
    ['5 %', 5],
    ['0.5', 0.5],
    ['0', 0],
    ['100', 100],
  ])('is a percentage: %s', (text, value) => expect(percent(text)).toBe(value));

  it.each(['', '%', '101', '-1', '5%%', '0.005', '1e1', 'half'])('is not %j', (text) => {
    expect(() => percent(text)).toThrow(/0\.5% or 0\.5/);
  });
});

describe('a hotkey on the command line', () => {
  const node = { wallet: { list: async () => scriptedWallets() } } as unknown as NodeClient;
  const [main] = scriptedWallets().wallets;
  const own = main?.hotkeys.find(({ name }) => name === 'validator')?.address;

  it('is an address, an own one by its name, or one of another wallet', async () => {
    const address = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
    expect(await hotkeyAddress(node, 'nobody', address)).toBe(address);
    expect(await hotkeyAddress(node, 'main', 'validator')).toBe(own);
    expect(await hotkeyAddress(node, 'nobody', 'main/validator')).toBe(own);
  });

  it.each(['nobody', 'main/nobody', 'nobody/validator', '5Grwva'])('is not %s', async (text) => {
    await expect(hotkeyAddress(node, 'main', text)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'hotkey' });
  });
});

describe('who is paid on the command line', () => {
  const node = { wallet: { list: async () => scriptedWallets() } } as unknown as NodeClient;

  it('is an own wallet by its name, an address, and else what the node is to judge', async () => {
    const savings = scriptedWallets().wallets.at(1);
    const address = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
    expect(savings?.coldkey?.address).toMatch(/^5/);
    expect(await payeeAddress(node, savings!.name)).toBe(savings!.coldkey!.address);
    expect(await payeeAddress(node, address)).toBe(address);
    expect(await payeeAddress(node, 'nobody')).toBe('nobody');
  });
});

describe('the wallet that nobody has named', () => {
  const [main, savings] = scriptedWallets().wallets;
  const alone = { name: 'worker', coldkey: null, hotkeys: main?.hotkeys ?? [] };
  const context = (axon = {}) => ({ config: { axon: { hotkey: 'default', ...axon } } }) as unknown as CommandContext;
  const nodeWith = (wallets: unknown[]) =>
    ({ wallet: { list: async () => ({ folder: '/wallets', wallets }) } }) as unknown as NodeClient;

  it('is the only one that has the hotkey, also where its coldkey is on another computer', async () => {
    expect(await chosenKey(context(), nodeWith([alone]), {})).toEqual({ wallet: 'worker', hotkey: 'default' });
    expect(await chosenKey(context(), nodeWith([savings, alone]), {})).toMatchObject({ wallet: 'worker' });
    await expect(chosenKey(context(), nodeWith([main, alone]), {})).rejects.toThrow('several wallets');
    expect(await chosenKey(context({ wallet: 'main' }), nodeWith([main, alone]), {})).toMatchObject({ wallet: 'main' });
  });

  it('is the only one with a coldkey where that is to sign; of one without it is said later what is missing', async () => {
    expect(await chosenWallet(context(), nodeWith([main, alone]), {})).toBe('main');
    expect(await chosenWallet(context(), nodeWith([alone]), {})).toBe('worker');
    await expect(chosenWallet(context(), nodeWith([]), {})).rejects.toThrow('no wallet in /wallets');
  });
});
