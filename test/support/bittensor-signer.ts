import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import type { Signer } from '../../src-main/bittensor/signer.ts';

/** A key of development, `//Alice` or any other name. */
export async function testSigner(uri: string): Promise<Signer> {
  await cryptoWaitReady();
  const pair = new Keyring({ type: 'sr25519', ss58Format: 42 }).addFromUri(uri);
  return { address: pair.address, publicKey: pair.publicKey, sign: async (message) => pair.sign(message) };
}
