import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { addressOf } from '../../src-main/bittensor/address.ts';
import { keyOfSeed, publicPart, writeSecretKey } from '../../src-main/bittensor/wallet/key-record.ts';
import { sealKeyfile } from '../../src-main/bittensor/wallet/keyfile-cipher.ts';
import { filesOf } from '../../src-main/bittensor/wallet/wallet-folder.ts';

/** Writes a new key as the official software lays it out. @returns its address */
export async function writeKey(
  folder: string,
  { wallet, hotkey, password }: { wallet: string; hotkey?: string; password?: string },
): Promise<string> {
  await cryptoWaitReady();
  const key = keyOfSeed(randomBytes(32));
  const address = addressOf(key.publicKey);
  const { file, publicFile } = filesOf(folder, wallet, hotkey);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const plain = writeSecretKey(key);
  await writeFile(file, password === undefined ? plain : sealKeyfile(plain, password), { mode: 0o600 });
  await writeFile(publicFile, JSON.stringify(publicPart(address)), { mode: 0o600 });
  return address;
}
