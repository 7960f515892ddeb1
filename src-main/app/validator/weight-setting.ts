import type { SentCall } from '../../../src-preload/contract/chain.ts';
import type { Chain } from '../../bittensor/chain/chain.ts';
import { passwordFrom } from '../../bittensor/wallet/password-variable.ts';
import type { KeyName, Wallets } from '../../bittensor/wallet/wallets.ts';
import type { WeightDesk } from '../../bittensor/weights/own-wallet.ts';
import type { WeightSender } from '../../bittensor/weights/weight-sender.ts';
import { WeightSetter } from '../../bittensor/weights/weight-setter.ts';

/** In whose name weights are set. */
export type WeightKey =
  | { key: Required<KeyName> }
  /** A signer service: see `quarry validator signer`. */
  | { signer: { url: string; token: string } };

/** What of the node’s chain it takes: a `ChainPart` has all of it. */
export interface SettingChain extends Pick<WeightDesk, 'draft' | 'send'> {
  neurons: Chain['metagraph'];
  neuron: Chain['neuron'];
  rules: Chain['hyperparameters'];
  /** The newest first. */
  calls(page: { limit: number }): Promise<{ calls: readonly SentCall[] }>;
}

export interface WeightSettingOptions {
  chain: SettingChain;
  wallets: () => Promise<Wallets>;
  netuid: number;
  by: WeightKey;
  /** Has the password of the hotkey, as the official software keeps it there. Default: that of this process */
  environment?: Readonly<Record<string, string | undefined>>;
}

/** Of the calls that were sent last, so many are looked through for weights that are on their way. */
const LAST_CALLS = 64;

/** What sets a validator’s weights, and how to close it. @throws CONFIG_INVALID for the address of a signer; BAD_REQUEST for a hotkey that is not there */
export async function openWeightSetting(
  options: WeightSettingOptions,
): Promise<{ setter: WeightSetter; close: () => Promise<void> }> {
  const { chain, netuid } = options;
  const { sender, close } = await openSender(options);
  const asked = { metagraph: chain.neurons, neuron: chain.neuron, hyperparameters: chain.rules };
  return { setter: new WeightSetter({ chain: asked, sender, netuid }), close };
}

async function openSender({
  by,
  chain,
  wallets,
  environment = process.env,
}: WeightSettingOptions): Promise<{ sender: WeightSender; close: () => Promise<void> }> {
  if ('signer' in by) {
    const { SignerClient } = await import('../../bittensor/signer-service/signer-client.ts');
    const sender = new SignerClient(by.signer);
    return { sender, close: () => sender.close() };
  }
  const [{ OwnWallet }, { addressOfKey }, own] = await Promise.all([
    import('../../bittensor/weights/own-wallet.ts'),
    import('../../bittensor/calls/actions/own-key.ts'),
    wallets(),
  ]);
  const address = await addressOfKey(own, by.key);
  const desk = {
    draft: chain.draft,
    send: chain.send,
    waiting: async () => (await chain.calls({ limit: LAST_CALLS })).calls.filter(({ state }) => state === 'waiting'),
  };
  const password = passwordFrom(environment, own.filesOf(by.key).file) ?? null;
  const sender = new OwnWallet({ desk, key: by.key, address: async () => address, password });
  return { sender, close: async () => undefined };
}
