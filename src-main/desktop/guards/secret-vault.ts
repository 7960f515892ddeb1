import { safeStorage } from 'electron';
import type { DesktopState } from '../../../src-preload/contract/desktop.ts';
import { type Saying, say, told, type Words } from '../../../src-preload/contract/saying.ts';
import type { SecretVault } from '../../settings/secret-vault.ts';
import { PlainVault, plainText } from '../../settings/secret-vault.ts';

/** Marks what the operating system's key opens; where there is none, secrets stay plain, and are marked so. */
const MARK = 'system:';
const plain = new PlainVault();

/** Keeps secrets with the operating system's key store, and says so honestly where it has none. */
export const systemVault: SecretVault = {
  async seal(secret) {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return await plain.seal(secret);
    return MARK + (await safeStorage.encryptStringAsync(secret)).toString('base64');
  },
  async unseal(sealed) {
    const text = plainText(sealed); // set on the command line, or before there was a key store
    if (text !== undefined) return text;
    if (!sealed.startsWith(MARK)) throw new Error('another program sealed it');
    return (await safeStorage.decryptStringAsync(Buffer.from(sealed.slice(MARK.length), 'base64'))).result;
  },
  async state() {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return await plain.state();
    // Chromium then encrypts with a key that stands in its source code.
    if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') {
      return open(say('desktop.noKeyring'));
    }
    return { protected: true, ...told({ note: say('desktop.encrypted', { keeper: keeper() }) }) };
  },
};

function open(note: Saying): DesktopState['secrets'] {
  return { protected: false, ...told({ note }) };
}

function keeper(): Words {
  if (process.platform === 'darwin') return say('desktop.keychain');
  if (process.platform === 'win32') return say('desktop.windows');
  return safeStorage.getSelectedStorageBackend().startsWith('kwallet') ? 'KWallet' : say('desktop.keyring');
}
