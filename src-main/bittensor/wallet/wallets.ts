import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { writeNew } from '../../base/atomic-file.ts';
import { makeFolder } from '../../base/folder.ts';
import { withoutControls } from '../../base/foreign-text.ts';
import { Turns } from '../../base/turns.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import { publicKeyOf } from '../address.ts';
import { bytesOfHex, hexOf } from '../hex.ts';
import type { Signer } from '../signer.ts';
import { signaturesReady, verify } from '../sr25519.ts';
import { holdHotkey, type KeyInProcess, type OpenHotkey } from './held-hotkey.ts';
import { type Draft, KeyDrafts } from './key-drafts.ts';
import { KeyProcess } from './key-process.ts';
import { publicPart } from './key-record.ts';
import type { KeySource } from './key-tasks.ts';
import { OWNER_ONLY, OWNER_ONLY_FOLDER } from './keyfile.ts';
import { addressUnknown, typed, watchOnly } from './refusals.ts';
import {
  type FoundKey,
  type FoundWallet,
  filesOf,
  findWallets,
  type KeyFiles,
  look,
  type UsableKey,
} from './wallet-folder.ts';

/** A key of a wallet: its coldkey, or the hotkey of that name. */
export interface KeyName {
  wallet: string;
  hotkey?: string | undefined;
}

/**
 * The wallets of a folder in the official layout. A coldkey is open for as long as one call lasts, in a process of its own; no key is ever
 * replaced by another.
 */
export class Wallets {
  readonly folder: string;
  readonly #spawner: ProcessSpawner | undefined;
  readonly #drafts: KeyDrafts;
  /** Keys that are open. */
  readonly #open = new Set<KeyProcess>();
  /** One file after the other: a password takes half a GiB. */
  readonly #turns = new Turns();
  #closed = false;

  /** @param folder default: where the official software keeps wallets (Bittensor §2) */
  constructor({ folder, spawner }: { folder?: string | undefined; spawner?: ProcessSpawner | undefined }) {
    this.folder = folder ?? join(homedir(), '.bittensor', 'wallets');
    this.#spawner = spawner;
    this.#drafts = new KeyDrafts({ start: () => this.#start(), end: (key) => this.#end(key) });
  }

  /** What is there, with the address of each key that can be told without a password. */
  async list(): Promise<FoundWallet[]> {
    const wallets = await findWallets(this.folder);
    const keys = wallets.flatMap(({ coldkey, hotkeys }) => [...(coldkey ? [coldkey] : []), ...hotkeys]);
    const untold = keys.filter(({ address, sealing }) => address === null && sealing === 'plain');
    if (untold.length === 0) return wallets;
    const addresses = await this.#inTurn((key) => key.addresses(untold.map(({ file }) => file)));
    untold.forEach((key, at) => {
      key.address = addresses[at] ?? null;
    });
    return wallets;
  }

  /** Where a key's files are, whether or not they are there. @throws BAD_REQUEST for a name that is none */
  filesOf({ wallet, hotkey }: KeyName): KeyFiles {
    return filesOf(this.folder, wallet, hotkey);
  }

  /** One key, as its files say. @throws BAD_REQUEST where there is none, or its file is not read as it is */
  async find({ wallet, hotkey }: KeyName): Promise<UsableKey> {
    const { sealing, refused, ...found } = await look(this.filesOf({ wallet, hotkey }));
    if (sealing !== 'unknown' && (sealing !== null || found.address !== null)) return { ...found, sealing };
    if (refused) throw refused;
    throw await this.#none({ wallet, hotkey });
  }

  /** What is said where a key is not there: many a machine has hotkeys alone. */
  async #none({ wallet, hotkey }: KeyName): Promise<QuarryError> {
    const seeList = say('bittensor.wallet.seeList', { folder: this.folder });
    if (hotkey !== undefined) {
      const message = say('bittensor.wallet.noHotkey', { wallet, hotkey });
      return new QuarryError({ code: 'BAD_REQUEST', message, hint: seeList, field: 'hotkey' });
    }
    const hasHotkeys = (await findWallets(this.folder)).some(({ name }) => name === wallet);
    const [message, hint] = hasHotkeys
      ? [
          say('bittensor.wallet.noColdkey', { wallet }),
          say('bittensor.wallet.watchColdkey', { wallet: typed({ wallet }) }),
        ]
      : [say('bittensor.wallet.none', { wallet }), seeList];
    return new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'wallet' });
  }

  /** What the public file of a key holds. @throws BAD_REQUEST where there is no such key, or its address is not known yet */
  async publicPart(name: KeyName): Promise<ReturnType<typeof publicPart>> {
    const { address } = await this.find(name);
    if (address !== null) return publicPart(address);
    throw addressUnknown(name);
  }

  /**
   * Writes the public file of a key that is there, or of one whose address alone is known: such a key is watched. It never replaces a file.
   * @param by the password of the key, null for a file without one; or the address of a key that is elsewhere
   * @returns what is in the file
   * @throws BAD_REQUEST where it is there already, and with the field `address`; UNAUTHORIZED with the field `password`
   */
  async writePublic(
    name: KeyName,
    by: { password: string | null } | { address: string },
  ): Promise<ReturnType<typeof publicPart>> {
    const { publicFile } = this.filesOf(name);
    const part = publicPart('password' in by ? await this.#ownAddress(name, by.password) : by.address);
    if ('address' in by) await this.refuseExisting(name);
    await makeFolder(dirname(publicFile), OWNER_ONLY_FOLDER);
    await writeNew(publicFile, JSON.stringify(part), OWNER_ONLY).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? publicExists(publicFile) : error;
    });
    return part;
  }

  /** The address of a key without a public file. @throws BAD_REQUEST where there is one */
  async #ownAddress(name: KeyName, password: string | null): Promise<string> {
    const { publicFile, lacksPublic } = await this.#findSecret(name);
    if (!lacksPublic) throw publicExists(publicFile);
    return this.withKey(name, password, async ({ address }) => address);
  }

  /** A key that is not written yet: a new one, whose words have to be told again, or one that is brought. @throws BAD_REQUEST, OVERLOADED */
  draft(source: KeySource): Promise<Draft> {
    return this.#drafts.make(source);
  }

  /**
   * Writes a key that was drafted.
   * @param told the words that were asked for, in their order
   * @param password null leaves the file readable for whoever reads the disk: usual for hotkeys, refused for coldkeys
   * @throws BAD_REQUEST with the field at fault: a wrong word (`words`), a key that is there already, no password
   */
  async keep(id: string, to: KeyName & { password: string | null; told: readonly string[] }): Promise<FoundKey> {
    const key = this.#drafts.told(id, to.told);
    if (to.password === '' || (to.hotkey === undefined && to.password === null)) {
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.wallet.wantsPassword'), field: 'password' });
    }
    const files = this.filesOf(to);
    await this.refuseExisting(to);
    await makeFolder(dirname(files.file), OWNER_ONLY_FOLDER);
    await this.#turns.take(() => key.keep({ ...files, password: to.password }));
    await this.discard(id);
    return look(files);
  }

  /** @throws BAD_REQUEST where there is a key of this name, or the address of one that is only watched */
  async refuseExisting(name: KeyName): Promise<void> {
    const { address, sealing, refused } = await look(this.filesOf(name));
    if (refused) throw refused;
    if (address !== null || sealing !== null) throw exists(name);
  }

  /** Forgets a key that was drafted. */
  discard(id: string): Promise<void> {
    return this.#drafts.discard(id);
  }

  /** Encrypts a keyfile anew, or a plain one for the first time. @throws UNAUTHORIZED with the field `password` */
  async changePassword(name: KeyName, { from, to }: { from: string | null; to: string }): Promise<void> {
    const { file } = await this.#findSecret(name);
    await this.#inTurn((key) => key.reseal(file, from, to));
  }

  /** Opens a key for one use, and forgets it with that. @throws BAD_REQUEST, UNAUTHORIZED with the field `password` */
  async withKey<T>(name: KeyName, password: string | null, use: (signer: Signer) => Promise<T>): Promise<T> {
    const key = await this.#openKey(name, password);
    try {
      return await use(key);
    } finally {
      await key.close();
    }
  }

  /** Opens a hotkey that goes on signing, for an axon or a dendrite, until it is closed; one without a password also when its process has ended. */
  openHotkey(name: Required<KeyName>, password: string | null): Promise<OpenHotkey> {
    if (password === null) return holdHotkey({ open: () => this.#openKey(name, null), hasPassword: false });
    // The password is not kept: it opens the key once.
    const opened = this.#openKey(name, password);
    return holdHotkey({ open: () => opened, hasPassword: true });
  }

  /** Signs a text that people read. @throws BAD_REQUEST for what may be a transaction in disguise */
  async signText(
    name: KeyName,
    password: string | null,
    text: string,
  ): Promise<{ address: string; signature: string }> {
    refuseToSign(text);
    return this.withKey(name, password, async ({ address, sign }) => {
      const signature = await sign(Buffer.from(text));
      return { address, signature: hexOf(signature) };
    });
  }

  async #findSecret(name: KeyName): Promise<UsableKey> {
    const found = await this.find(name);
    if (found.sealing !== null) return found;
    throw watchOnly();
  }

  /** Forgets all drafts, and every key that is open. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#drafts.close();
    await Promise.all([...this.#open].map((key) => this.#end(key)));
  }

  async #openKey(name: KeyName, password: string | null): Promise<KeyInProcess> {
    const { file, address } = await this.#findSecret(name);
    return this.#turns.take(async () => {
      const key = this.#start();
      const close = () => this.#end(key);
      try {
        const signer = await openFile(key, file, password, address);
        return { ...signer, ended: () => key.ended, held: () => key.held(), close };
      } catch (error) {
        await close();
        throw error;
      }
    });
  }

  /** Does one thing with a process of its own, when those before it are done. */
  #inTurn<T>(use: (key: KeyProcess) => Promise<T>): Promise<T> {
    return this.#turns.take(async () => {
      const key = this.#start();
      try {
        return await use(key);
      } finally {
        await this.#end(key);
      }
    });
  }

  /** @throws CANCELLED for what waited for its turn when this was closed */
  #start(): KeyProcess {
    if (this.#closed) throw new QuarryError({ code: 'CANCELLED', message: say('bittensor.wallet.closed') });
    const key = new KeyProcess(this.#spawner);
    this.#open.add(key);
    return key;
  }

  async #end(key: KeyProcess): Promise<void> {
    this.#open.delete(key);
    await key.close();
  }
}

/** @throws BAD_REQUEST where another key is in the file than its public file says */
async function openFile(
  key: KeyProcess,
  file: string,
  password: string | null,
  address: string | null,
): Promise<Signer> {
  const signer = await key.open(file, password);
  if (address !== null && signer.address !== address) {
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.wallet.contradicts') });
  }
  return signer;
}

/** Longer transactions are signed by their hash, of so many bytes. */
const HASH_BYTES = 32;

/**
 * What begins with 0x official software would sign as bytes; and of transactions, somebody may make them until the hash of one is a text.
 * @throws BAD_REQUEST
 */
export function refuseToSign(text: string): void {
  const refused = (message: Saying) => new QuarryError({ code: 'BAD_REQUEST', message, field: 'text' });
  if (withoutControls(text) !== text) throw refused(say('bittensor.wallet.unseen'));
  if (/^[\s\p{Cf}]*0x/iu.test(text)) throw refused(say('bittensor.wallet.looksLikeCall'));
  if (Buffer.byteLength(text) === HASH_BYTES) throw refused(say('bittensor.wallet.longAsHash'));
}

/**
 * Whether a text was signed by the key of an address; wrapped in `<Bytes>`, as browsers' wallets do, or not.
 * @param signature 0x and 128 hexadecimal digits
 * @throws BAD_REQUEST for what is no address or no signature
 */
export async function verifyText(text: string, signature: string, address: string): Promise<boolean> {
  const publicKey = publicKeyOf(address);
  const bytes = bytesOfHex(signature, 64);
  if (!bytes)
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.wallet.noSignature'), field: 'signature' });
  await signaturesReady();
  return [text, `<Bytes>${text}</Bytes>`].some((signed) => verify(Buffer.from(signed), bytes, publicKey));
}

const publicExists = (path: string) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.wallet.publicExists', { path }) });

const exists = ({ wallet, hotkey }: KeyName) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('bittensor.wallet.exists', { name: hotkey ?? wallet }),
    hint: say('bittensor.wallet.otherName'),
    field: hotkey === undefined ? 'wallet' : 'hotkey',
  });
