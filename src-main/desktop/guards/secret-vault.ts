import { safeStorage } from 'electron';
import type { DesktopState } from '../../../src-preload/contract/desktop.ts';
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
      return open(
        'No keyring runs here: tokens and keys are only scrambled, and whoever can read your files can read them.',
      );
    }
    return { protected: true, note: `Tokens and keys are encrypted; ${keeper()} keeps their key.` };
  },
};

function open(note: string): DesktopState['secrets'] {
  return { protected: false, note };
}

function keeper(): string {
  if (process.platform === 'darwin') return 'the macOS keychain';
  if (process.platform === 'win32') return 'Windows (for your account)';
  return safeStorage.getSelectedStorageBackend().startsWith('kwallet') ? 'KWallet' : 'the keyring of your desktop';
}
