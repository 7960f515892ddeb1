import { ristretto255 } from '@noble/curves/ed25519.js';
import { mnemonicToMiniSecret } from '@polkadot/util-crypto/mnemonic/toMiniSecret';
import { mnemonicValidate } from '@polkadot/util-crypto/mnemonic/validate';
import { sr25519PairFromSeed } from '@polkadot/util-crypto/sr25519/pair/fromSeed';
import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { addressOf, isAddress, publicKeyOf } from '../address.ts';
import { bytesOfHex, hexOf } from '../hex.ts';

/** No keyfile is larger: two keys, a seed and 24 words are less than 1 KiB. */
export const MAX_KEYFILE_BYTES = 64 * 1_024;
/** ed25519, which the official wallet writes as a number since 4.1 (Bittensor §2). */
const ED25519 = 0;

const hex = (bytes: number) =>
  z
    .string()
    .max(2 * bytes + 2)
    .transform((text) => bytesOfHex(text, bytes))
    .pipe(z.instanceof(Buffer));

/** The JSON of a keyfile. Unknown fields are left aside, null means that there is none. */
const recordSchema = z.object({
  accountId: hex(32).nullish(),
  publicKey: hex(32).nullish(),
  privateKey: hex(64).nullish(),
  secretPhrase: z.string().max(1_000).nullish(),
  secretSeed: hex(32).nullish(),
  ss58Address: z.string().refine(isAddress).nullish(),
  cryptoType: z.int().nullish(),
});

/** A key with its secret: sr25519, in the form of polkadot.js (expanded as ed25519 does). */
export interface SecretKey {
  readonly publicKey: Uint8Array;
  /** 64 bytes. */
  readonly secretKey: Uint8Array;
  readonly seed?: Uint8Array | undefined;
  readonly phrase?: string | undefined;
}

/**
 * The key in the JSON of a keyfile: by its words, else its seed, else its private key, as the official wallet reads it (Bittensor §2).
 * @throws BAD_REQUEST for what is no keyfile, has no secret, is of another kind, or says another address than its key has
 */
export function readSecretKey(json: Buffer): SecretKey {
  const record = parse(json);
  if (record.cryptoType === ED25519) throw unusable(say('bittensor.wallet.ed25519'));
  const key = secretOf(record);
  if (!key) throw unusable(say('bittensor.wallet.publicOnly'));
  const address = addressOf(key.publicKey);
  if (record.ss58Address && record.ss58Address !== address) throw unusable(say('bittensor.wallet.contradicts'));
  return key;
}

/** The address that a keyfile says, by its public part. @throws BAD_REQUEST where there is none */
export function readAddress(json: Buffer): string {
  const { ss58Address, publicKey, accountId } = parse(json);
  const key = publicKey ?? accountId;
  const address = ss58Address ?? (key && addressOf(key));
  if (!address) throw unusable(say('bittensor.wallet.noKeyfile'));
  return address;
}

/** The JSON of a keyfile with the secret. `cryptoType` is left out: wallets before 4.1 cannot read it, and sr25519 is what is meant without. */
export function writeSecretKey({ publicKey, secretKey, seed, phrase }: SecretKey): Buffer {
  return Buffer.from(
    JSON.stringify({
      accountId: hexOf(publicKey),
      publicKey: hexOf(publicKey),
      privateKey: hexOf(toCanonical(secretKey)),
      ...(phrase && { secretPhrase: phrase }),
      ...(seed && { secretSeed: hexOf(seed) }),
      ss58Address: addressOf(publicKey),
    }),
  );
}

/** What the public file beside it holds. */
export function publicPart(address: string): { accountId: string; publicKey: string; ss58Address: string } {
  const publicKey = hexOf(publicKeyOf(address));
  return { accountId: publicKey, publicKey, ss58Address: address };
}

/** The key of 12 or 24 words, in Substrate's way: from their entropy, without a password. @throws BAD_REQUEST for a mistyped word */
export function keyOfPhrase(text: string): SecretKey {
  const phrase = text.trim().toLowerCase().split(/\s+/).join(' ');
  if (!mnemonicValidate(phrase)) {
    throw new QuarryError({
      code: 'BAD_REQUEST',
      message: say('bittensor.wallet.noPhrase'),
      hint: say('bittensor.wallet.phraseLooks'),
      field: 'phrase',
    });
  }
  return { ...keyOfSeed(mnemonicToMiniSecret(phrase)), phrase };
}

export function keyOfSeed(seed: Uint8Array): SecretKey {
  return { ...sr25519PairFromSeed(seed), seed };
}

/** The key of a secret in the form of polkadot.js, which has no seed any more. What the file says to be its public part is not believed. */
export function keyOfSecret(secretKey: Uint8Array): SecretKey {
  const scalar = Buffer.from(toCanonical(secretKey).subarray(0, 32)).reverse().toString('hex');
  try {
    return { secretKey, publicKey: ristretto255.Point.BASE.multiply(BigInt(`0x${scalar}`)).toBytes() };
  } catch {
    throw unusable(say('bittensor.wallet.noKeyfile'));
  }
}

function secretOf({ secretPhrase, secretSeed, privateKey }: z.infer<typeof recordSchema>): SecretKey | undefined {
  if (secretPhrase) return keyOfPhrase(secretPhrase);
  if (secretSeed) return keyOfSeed(secretSeed);
  return privateKey ? keyOfSecret(fromCanonical(privateKey)) : undefined;
}

function parse(json: Buffer): z.infer<typeof recordSchema> {
  if (json.length > MAX_KEYFILE_BYTES) throw unusable(say('bittensor.wallet.tooLarge'));
  try {
    return recordSchema.parse(JSON.parse(json.toString('utf8')));
  } catch {
    throw unusable(say('bittensor.wallet.noKeyfile')); // and nothing of what it holds: it may be a secret
  }
}

/** As schnorrkel writes it: the first half, a number with its lowest byte first, divided by 8 (Bittensor §2). */
export function toCanonical(secretKey: Uint8Array): Uint8Array {
  return Uint8Array.from(secretKey, (byte, at) =>
    at < 32 ? (byte >> 3) | (at < 31 ? ((secretKey[at + 1] ?? 0) & 7) << 5 : 0) : byte,
  );
}

export function fromCanonical(privateKey: Uint8Array): Uint8Array {
  return Uint8Array.from(privateKey, (byte, at) =>
    at < 32 ? ((byte << 3) & 0xff) | (at > 0 ? (privateKey[at - 1] ?? 0) >> 5 : 0) : byte,
  );
}

const unusable = (message: Saying) => new QuarryError({ code: 'BAD_REQUEST', message });
