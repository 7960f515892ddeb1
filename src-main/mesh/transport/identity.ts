import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import hypercoreCrypto, { type KeyPair } from 'hypercore-crypto';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { hexPattern } from '../../../src-preload/contract/limits.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { writeAtomically } from '../../base/atomic-file.ts';
import { dataPath } from '../../base/data-folder.ts';
import { makeFolder } from '../../base/folder.ts';

const SEED_PATTERN = hexPattern(32);

/** A node of the mesh: one ed25519 key is its worker id, its Noise key and the key that signs its receipts. */
export interface Identity {
  /** The public key, 64 hex. */
  readonly id: string;
  readonly keyPair: KeyPair;
  /** Signs bytes; 128 hex. */
  sign(bytes: Uint8Array): string;
}

/** An identity from its 32-byte seed. */
export function identityFromSeed(seed: Uint8Array): Identity {
  const keyPair = hypercoreCrypto.keyPair(seed);
  return {
    id: keyPair.publicKey.toString('hex'),
    keyPair,
    sign: (bytes) => hypercoreCrypto.sign(bytes, keyPair.secretKey).toString('hex'),
  };
}

/** Whether `signature` (128 hex) of `bytes` was made by the node `id` (64 hex). Never throws. */
export function verify(id: string, bytes: Uint8Array, signature: string): boolean {
  const key = Buffer.from(id, 'hex');
  const sig = Buffer.from(signature, 'hex');
  return key.length === 32 && sig.length === 64 && hypercoreCrypto.verify(bytes, sig, key);
}

/**
 * Reads the identity kept in `dir`, or makes one there on the first start. The file holds the secret seed: mode 0600,
 * written completely or not at all. A damaged file is never replaced, because credits hang on the key.
 *
 * @throws CONFIG_INVALID when the file is damaged or cannot be read
 */
export async function loadOrCreateIdentity(dir: string): Promise<Identity> {
  const known = await readIdentity(dir);
  if (known) return known;
  const path = dataPath(dir, 'identity');
  const seed = randomBytes(32);
  await makeFolder(dir, 0o700);
  await writeAtomically(path, `${JSON.stringify({ v: 1, seed: seed.toString('hex') })}\n`, 0o600);
  return identityFromSeed(seed);
}

/** The identity kept in `dir`; undefined where there is none. @throws CONFIG_INVALID as {@link loadOrCreateIdentity} */
export async function readIdentity(dir: string): Promise<Identity | undefined> {
  const path = dataPath(dir, 'identity');
  const text = await readIfThere(path);
  return text === undefined ? undefined : identityFromFile(text, path);
}

/** The identity that the text of such a file holds. @param path for what is said of it @throws CONFIG_INVALID when it is damaged */
export function identityFromFile(text: string, path: string): Identity {
  return identityFromSeed(parseSeed(text, path));
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw damaged(path, 'it cannot be read', error);
  }
}

function parseSeed(text: string, path: string): Buffer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(path, 'it is not JSON', error);
  }
  const seed = (value as { seed?: unknown } | null)?.seed;
  if (typeof seed !== 'string' || !SEED_PATTERN.test(seed)) throw damaged(path, 'it holds no 64-digit seed');
  return Buffer.from(seed, 'hex');
}

function damaged(path: string, why: string, cause?: unknown): QuarryError {
  return new QuarryError(
    {
      code: 'CONFIG_INVALID',
      message: say('database.identity', { path, why }),
      hint: say('database.newIdentity'),
    },
    { cause },
  );
}
