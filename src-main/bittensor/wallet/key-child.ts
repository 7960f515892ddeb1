import { realpath } from 'node:fs/promises';
import { base64Decode } from '@polkadot/util-crypto/base64/bs64';
import { mnemonicGenerate } from '@polkadot/util-crypto/mnemonic/generate';
import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { writeAtomically, writeNew } from '../../base/atomic-file.ts';
import { severalAtOnce } from '../../base/several-at-once.ts';
import { failureOf } from '../../process/failure.ts';
import { addressOf } from '../address.ts';
import { bytesOfHex } from '../hex.ts';
import { sign, signaturesReady } from '../sr25519.ts';
import {
  keyOfPhrase,
  keyOfSecret,
  keyOfSeed,
  publicPart,
  readAddress,
  readSecretKey,
  type SecretKey,
  writeSecretKey,
} from './key-record.ts';
import { type KeyReply, type KeyResult, type KeySource, type KeyTask, keyTaskSchema } from './key-tasks.ts';
import { OWNER_ONLY, readKeyfile } from './keyfile.ts';
import { sealingOf, sealKeyfile, unsealKeyfile } from './keyfile-cipher.ts';

/**
 * Entry of the process that holds a key: nothing secret of it is ever in main but words that are shown once. It reads and writes
 * keyfiles, signs, and takes what it knows along when it ends.
 */
let inHand: SecretKey | undefined;
/** Keyfiles that are read at a time: there may be thousands. */
const FILES_AT_ONCE = 32;
let before: Promise<unknown> = signaturesReady();

process.on('message', (message) => {
  before = before.then(() => answer(message)).then(tell);
});

async function answer(message: unknown): Promise<KeyReply> {
  try {
    return { result: await run(keyTaskSchema.parse(message)) };
  } catch (error) {
    return { failed: failureOf(explained(error)) };
  }
}

async function run(task: KeyTask): Promise<KeyResult> {
  switch (task.task) {
    case 'draft':
      return draft(task.source);
    case 'keep':
      return keep(task);
    case 'open':
      inHand = readSecretKey(unsealKeyfile(await readKeyfile(task.file), task.password));
      return { address: addressOf(inHand.publicKey) };
    case 'held':
      return { address: addressOf(held().publicKey) };
    case 'sign':
      return { signature: Buffer.from(sign(Buffer.from(task.message, 'base64'), held())).toString('base64') };
    case 'reseal':
      return reseal(task);
    case 'addresses':
      return { addresses: await severalAtOnce(task.files, FILES_AT_ONCE, addressIn) };
  }
}

async function draft(source: KeySource): Promise<KeyResult> {
  if (source.from === 'new') {
    const phrase = mnemonicGenerate(source.words);
    inHand = keyOfPhrase(phrase);
    return { address: addressOf(inHand.publicKey), phrase };
  }
  inHand = await keyFrom(source);
  return { address: addressOf(inHand.publicKey) };
}

async function keyFrom(source: Exclude<KeySource, { from: 'new' }>): Promise<SecretKey> {
  if (source.from === 'phrase') return keyOfPhrase(source.phrase);
  if (source.from === 'seed') return keyOfSeed(seedIn(source.seed));
  return keyOfSecret(await secretIn(source));
}

function seedIn(text: string): Buffer {
  const seed = bytesOfHex(text, 32);
  if (seed) return seed;
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.wallet.noSeed'), field: 'seed' });
}

const exportSchema = z.object({
  encoded: z.string().max(2_000),
  encoding: z.object({
    content: z.tuple([z.literal('pkcs8'), z.literal('sr25519')]).rest(z.string()),
    type: z.union([z.string(), z.array(z.string())]),
  }),
});

/** The secret in what polkadot.js exports. @throws BAD_REQUEST for another kind of file, or with the field `password` */
async function secretIn({ json, password }: Extract<KeySource, { from: 'json' }>): Promise<Uint8Array> {
  const { encoded, encoding } = exported(json);
  const type = [encoding.type].flat() as ('none' | 'scrypt' | 'xsalsa20-poly1305')[];
  const { decodePair } = await import('@polkadot/keyring/pair/decode'); // takes a third of a second to load, and is seldom wanted
  try {
    return decodePair(password, base64Decode(encoded), type).secretKey;
  } catch {
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.wallet.wrongPassword'), field: 'password' });
  }
}

function exported(json: string): z.infer<typeof exportSchema> {
  try {
    return exportSchema.parse(JSON.parse(json));
  } catch {
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.wallet.noExport'), field: 'json' });
  }
}

async function keep({ file, publicFile, password }: Extract<KeyTask, { task: 'keep' }>): Promise<KeyResult> {
  const key = held();
  const address = addressOf(key.publicKey);
  const plain = writeSecretKey(key);
  await writeNew(file, password === null ? plain : sealKeyfile(plain, password), OWNER_ONLY);
  await writeAtomically(publicFile, JSON.stringify(publicPart(address)), OWNER_ONLY);
  return { address };
}

/** What is written is opened again before it takes the old file's place. */
async function reseal({ file: named, from, to }: Extract<KeyTask, { task: 'reseal' }>): Promise<KeyResult> {
  const file = await realpath(named); // behind a link the old one would stay as it is
  const plain = unsealKeyfile(await readKeyfile(file), from);
  const address = addressOf(readSecretKey(plain).publicKey);
  const bytes = to === null ? plain : sealKeyfile(plain, to);
  if (!unsealKeyfile(bytes, to).equals(plain)) throw new Error('What was encrypted does not open again.');
  await writeAtomically(file, bytes, OWNER_ONLY);
  return { address };
}

async function addressIn(file: string): Promise<string | null> {
  try {
    const bytes = await readKeyfile(file);
    return sealingOf(bytes) === 'plain' ? readAddress(bytes) : null;
  } catch {
    return null; // a list shows the rest
  }
}

function held(): SecretKey {
  if (inHand) return inHand;
  throw new Error('No key is in hand.');
}

function tell(reply: KeyReply): void {
  process.send?.(reply);
}

function explained(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (message === 'crypto_pwhash') {
    return new QuarryError({ code: 'OUT_OF_MEMORY', message: say('bittensor.wallet.memory') }, { cause: error });
  }
  if (code === 'EEXIST') return new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.wallet.fileExists') });
  return error;
}
