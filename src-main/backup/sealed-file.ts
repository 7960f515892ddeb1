import { randomBytes, timingSafeEqual } from 'node:crypto';
import { writeSync } from 'node:fs';
import sodium from 'sodium-native';
import { say } from '../../src-preload/contract/saying.ts';
import {
  encodeHeader,
  type FileHeader,
  KDF_DEFAULT,
  MAC_BYTES,
  memoryOf,
  PIECE_BYTES,
  PIECE_OVERHEAD,
  type ReadHeader,
  readExactly,
  readHeader,
  unusable,
} from './backup-header.ts';

const KEY_BYTES = 32;
const {
  crypto_secretstream_xchacha20poly1305_TAG_MESSAGE: MORE,
  crypto_secretstream_xchacha20poly1305_TAG_FINAL: LAST,
} = sodium;

export type Kdf = Pick<FileHeader['kdf'], 'passes' | 'memoryMiB'>;

/**
 * Writes an encrypted file: the header, a keyed hash of it, then the plaintext in pieces of XChaCha20-Poly1305 (libsodium's secretstream),
 * of which the last is marked. Blocks while the key is derived and while it writes: it belongs into a process of its own.
 * @param source all of the plaintext, in pieces of any length; as much as `about.bytes` says
 */
export function seal(
  file: number,
  password: string,
  about: Pick<FileHeader, 'node' | 'createdAt' | 'version' | 'bytes'>,
  source: Iterable<Buffer>,
  kdf: Kdf = KDF_DEFAULT,
): void {
  const salt = randomBytes(sodium.crypto_pwhash_SALTBYTES);
  const derivation = { name: 'argon2id13', ...kdf, salt: salt.toString('hex') } as const;
  const keys = deriveKeys(password, { kdf: derivation });
  const state = Buffer.alloc(sodium.crypto_secretstream_xchacha20poly1305_STATEBYTES);
  const stream = Buffer.alloc(sodium.crypto_secretstream_xchacha20poly1305_HEADERBYTES);
  sodium.crypto_secretstream_xchacha20poly1305_init_push(state, stream, keys.stream);
  const header = encodeHeader({ ...about, kdf: derivation, stream: stream.toString('hex') });
  writeAll(file, header);
  writeAll(file, macOf(header, keys.mac));
  const pieces = inPieces(source);
  let piece = pieces.next();
  while (!piece.done) {
    const next = pieces.next();
    const cipher = Buffer.alloc(piece.value.length + PIECE_OVERHEAD);
    sodium.crypto_secretstream_xchacha20poly1305_push(state, cipher, piece.value, null, next.done ? LAST : MORE);
    writeAll(file, cipher);
    piece = next;
  }
  forget(keys);
}

/**
 * The plaintext of a file, piece by piece; nothing of it that was not written so. Whoever reads to the end has read all of it.
 * @param derive default: {@link deriveKeys}; tests derive each key once
 * @throws BAD_REQUEST when the password is wrong (field `password`), when the file was changed or cut off, or is none
 */
export function* unseal(file: number, password: string, derive = deriveKeys): Generator<Buffer, void, undefined> {
  const read = readHeader(file);
  const keys = derive(password, read.header);
  if (!timingSafeEqual(macOf(read.encoded, keys.mac), read.mac))
    throw unusable(say('backup.wrongPassword'), 'password');
  const state = Buffer.alloc(sodium.crypto_secretstream_xchacha20poly1305_STATEBYTES);
  sodium.crypto_secretstream_xchacha20poly1305_init_pull(state, Buffer.from(read.header.stream, 'hex'), keys.stream);
  yield* openPieces(file, read, state);
  forget(keys);
}

function* openPieces(file: number, { header, encoded }: ReadHeader, state: Buffer): Generator<Buffer, void, undefined> {
  const tag = Buffer.alloc(1);
  let at = encoded.length + MAC_BYTES;
  for (let left = header.bytes; left > 0; ) {
    const bytes = Math.min(left, PIECE_BYTES);
    const cipher = readExactly(file, bytes + PIECE_OVERHEAD, at);
    const plain = Buffer.alloc(bytes);
    try {
      sodium.crypto_secretstream_xchacha20poly1305_pull(state, plain, tag, cipher, null);
    } catch {
      throw unusable(say('backup.damaged'));
    }
    at += cipher.length;
    left -= bytes;
    if (tag[0] !== (left === 0 ? LAST : MORE)) throw unusable(say('backup.damaged'));
    yield plain;
  }
}

export interface Keys {
  stream: Buffer;
  mac: Buffer;
}

/** The same password gives the same keys, however it was typed: composed or not. */
export function deriveKeys(password: string, header: Pick<FileHeader, 'kdf'>): Keys {
  const { passes, salt } = header.kdf;
  const keys = Buffer.alloc(2 * KEY_BYTES);
  sodium.crypto_pwhash(
    keys,
    Buffer.from(password.normalize('NFC'), 'utf8'),
    Buffer.from(salt, 'hex'),
    passes,
    memoryOf(header),
    sodium.crypto_pwhash_ALG_ARGON2ID13,
  );
  return { stream: keys.subarray(0, KEY_BYTES), mac: keys.subarray(KEY_BYTES) };
}

function forget({ stream, mac }: Keys): void {
  sodium.sodium_memzero(stream);
  sodium.sodium_memzero(mac);
}

function macOf(header: Buffer, key: Buffer): Buffer {
  const mac = Buffer.alloc(MAC_BYTES);
  sodium.crypto_generichash(mac, header, key);
  return mac;
}

/** The same bytes in pieces of {@link PIECE_BYTES}, but the last one. */
function* inPieces(source: Iterable<Buffer>): Generator<Buffer, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for (const some of source) {
    rest = rest.length > 0 ? Buffer.concat([rest, some]) : some;
    while (rest.length > PIECE_BYTES) {
      yield rest.subarray(0, PIECE_BYTES);
      rest = rest.subarray(PIECE_BYTES);
    }
  }
  yield rest;
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
