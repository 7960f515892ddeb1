/**
 * The key that the list of updates for Linux is signed with (src-main/desktop/shell/feed-signature.ts has its public half).
 * Usage: node scripts/update-key.ts make FILE     writes a new secret key to FILE, and prints the public half
 *        node scripts/update-key.ts sign FOLDER   signs each latest-linux*.yml there; the secret key is the text of QUARRY_FEED_SECRET
 */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  FEED_KEY,
  isFeedSigned,
  publicHalf,
  SIGNATURE_SUFFIX,
  signFeed,
} from '../src-main/desktop/shell/feed-signature.ts';

const LIST = /^latest-linux.*\.yml$/;

/** Writes a new secret key to a file, which must not be there. @returns its public half */
export function makeKey(file: string): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' });
  return publicHalf(privateKey);
}

/**
 * Signs every list of a folder.
 * @param secret PEM
 * @param key what the app knows
 * @returns the names of the lists
 * @throws Error when the app would not take the signature, or there is nothing to sign
 */
export function signLists(folder: string, secret: string, key: string | undefined): string[] {
  const privateKey = createPrivateKey(secret);
  if (key === undefined)
    throw new Error('src-main/desktop/shell/feed-signature.ts names no key: no app would take updates.');
  if (publicHalf(privateKey) !== key) throw new Error('This is not the secret half of the key that the app knows.');
  const lists = readdirSync(folder).filter((file) => LIST.test(file));
  if (lists.length === 0) throw new Error(`There is no list of updates in ${folder}.`);
  for (const file of lists) {
    const text = readFileSync(join(folder, file), 'utf8');
    const signature = signFeed(file, text, privateKey);
    if (!isFeedSigned(file, text, signature, key)) throw new Error(`The signature of ${file} does not hold.`);
    writeFileSync(join(folder, file + SIGNATURE_SUFFIX), signature);
  }
  return lists;
}

if (import.meta.main) {
  const [what, path] = process.argv.slice(2);
  if (what === 'make' && path) {
    console.log(`Keep ${path} secret, and a copy of it safe. In src-main/desktop/shell/feed-signature.ts:`);
    console.log(`export const FEED_KEY: string | undefined = '${makeKey(path)}';`);
  } else if (what === 'sign' && path) {
    console.log(`signed: ${signLists(path, process.env.QUARRY_FEED_SECRET ?? '', FEED_KEY).join(', ')}`);
  } else {
    console.error('node scripts/update-key.ts make FILE | sign FOLDER');
    process.exitCode = 1;
  }
}
