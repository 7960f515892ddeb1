import { newSigner } from '../bittensor/new-signer.ts';
import type { Signer } from '../bittensor/signer.ts';
import { signaturesReady } from '../bittensor/sr25519.ts';

/** New hotkeys, which are kept nowhere. */
export async function newKeys(count: number): Promise<Signer[]> {
  await signaturesReady();
  return Array.from({ length: count }, newSigner);
}
