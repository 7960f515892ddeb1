import { createDecipheriv, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import sodium from 'sodium-native';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { openVault, VAULT_PREFIX } from './ansible-vault.ts';

/** How a keyfile is written (Bittensor §2). New ones are `nacl` or `plain`; the other two are opened, never written. */
export type Sealing = 'plain' | 'nacl' | 'fernet' | 'ansible';

const NACL_PREFIX = '$NACL';
const FERNET_PREFIX = 'gAAAAA';
/** How much of a file tells how it is written. */
export const PREFIX_BYTES = VAULT_PREFIX.length;

/** Of the official wallet. libsodium's own OPSLIMIT_SENSITIVE and MEMLIMIT_SENSITIVE are argon2id's, and other numbers. */
const ARGON2I = { passes: 8, memoryBytes: 512 * 1_024 * 1_024, salt: '137183dff15a09bc9c90b5518739e9b1' };
const FERNET = { salt: 'Iguesscyborgslikemyselfhaveatendencytobeparanoidaboutourorigins', rounds: 10_000_000 };
/** Version, time and initialisation vector before, the keyed hash behind what a Fernet token holds. */
const FERNET_BYTES = { version: 1, time: 8, iv: 16, mac: 32 };

/** How a keyfile is written, by its first bytes. */
export function sealingOf(bytes: Buffer): Sealing {
  const start = bytes.toString('latin1', 0, PREFIX_BYTES);
  if (start.startsWith(NACL_PREFIX)) return 'nacl';
  if (start.startsWith(FERNET_PREFIX)) return 'fernet';
  return start.startsWith(VAULT_PREFIX) ? 'ansible' : 'plain';
}

/**
 * What a keyfile holds. Takes seconds and half a GiB: it belongs into a process of its own.
 * @throws UNAUTHORIZED with the field `password` when there is none or a wrong one, and for a file that is cut off
 */
export function unsealKeyfile(bytes: Buffer, password: string | null): Buffer {
  const sealing = sealingOf(bytes);
  if (sealing === 'plain') return bytes;
  if (password === null)
    throw new QuarryError({ code: 'UNAUTHORIZED', message: say('bittensor.wallet.locked'), field: 'password' });
  const plain = { nacl: openNacl, fernet: openFernet, ansible: openVault }[sealing](bytes, password);
  if (!plain)
    throw new QuarryError({ code: 'UNAUTHORIZED', message: say('bittensor.wallet.wrongPassword'), field: 'password' });
  return plain;
}

/** Encrypts what a keyfile holds as the official wallet does: it opens it again with the same password. */
export function sealKeyfile(plain: Buffer, password: string): Buffer {
  const nonce = randomBytes(sodium.crypto_secretbox_NONCEBYTES);
  const cipher = Buffer.alloc(plain.length + sodium.crypto_secretbox_MACBYTES);
  const key = naclKey(password);
  sodium.crypto_secretbox_easy(cipher, plain, nonce, key);
  sodium.sodium_memzero(key);
  return Buffer.concat([Buffer.from(NACL_PREFIX), nonce, cipher]);
}

function openNacl(bytes: Buffer, password: string): Buffer | undefined {
  const from = NACL_PREFIX.length + sodium.crypto_secretbox_NONCEBYTES;
  const length = bytes.length - from - sodium.crypto_secretbox_MACBYTES;
  if (length < 0) return undefined;
  const plain = Buffer.alloc(length);
  const key = naclKey(password);
  const opened = sodium.crypto_secretbox_open_easy(
    plain,
    bytes.subarray(from),
    bytes.subarray(NACL_PREFIX.length, from),
    key,
  );
  sodium.sodium_memzero(key);
  return opened ? plain : undefined;
}

/** Exported for the vectors of the sheet. */
export function naclKey(password: string): Buffer {
  const key = Buffer.alloc(sodium.crypto_secretbox_KEYBYTES);
  const salt = Buffer.from(ARGON2I.salt, 'hex');
  const { passes, memoryBytes } = ARGON2I;
  sodium.crypto_pwhash(key, Buffer.from(password), salt, passes, memoryBytes, sodium.crypto_pwhash_ALG_ARGON2I13);
  return key;
}

/** A Fernet token: AES-128-CBC, and HMAC-SHA256 of all before it. */
function openFernet(bytes: Buffer, password: string): Buffer | undefined {
  const token = Buffer.from(bytes.toString('latin1').trim(), 'base64url');
  const { version, time, iv, mac } = FERNET_BYTES;
  const [ivAt, cipherAt, macAt] = [version + time, version + time + iv, token.length - mac];
  if (macAt <= cipherAt) return undefined;
  const key = pbkdf2Sync(password, FERNET.salt, FERNET.rounds, 32, 'sha256');
  const expected = createHmac('sha256', key.subarray(0, 16)).update(token.subarray(0, macAt)).digest();
  if (!timingSafeEqual(expected, token.subarray(macAt))) return undefined;
  const cipher = createDecipheriv('aes-128-cbc', key.subarray(16), token.subarray(ivAt, cipherAt));
  return Buffer.concat([cipher.update(token.subarray(cipherAt, macAt)), cipher.final()]);
}
