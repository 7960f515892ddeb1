import { randomBytes } from 'node:crypto';
import { sr25519KeypairFromSeed } from '@polkadot/wasm-crypto';
import { addressOf } from './address.ts';
import type { Signer } from './signer.ts';
import { sign } from './sr25519.ts';

const SECRET_BYTES = 64;

/** A new hotkey that is kept nowhere: for demonstrations and measurements. Whoever makes one has waited for signatures to be ready. */
export function newSigner(): Signer {
  const pair = sr25519KeypairFromSeed(randomBytes(32));
  const [secretKey, publicKey] = [pair.slice(0, SECRET_BYTES), pair.slice(SECRET_BYTES)];
  return { publicKey, address: addressOf(publicKey), sign: async (text) => sign(text, { publicKey, secretKey }) };
}
