import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemVault } from '../../../../src-main/desktop/guards/secret-vault.ts';
import { PlainVault } from '../../../../src-main/settings/secret-vault.ts';

const storage = vi.hoisted(() => ({ available: true, backend: 'gnome_libsecret' }));
vi.mock('electron', () => ({
  safeStorage: {
    isAsyncEncryptionAvailable: async () => storage.available,
    getSelectedStorageBackend: () => storage.backend,
    encryptStringAsync: async (text: string) => Buffer.from([...text].reverse().join('')),
    decryptStringAsync: async (sealed: Buffer) => ({
      result: [...sealed.toString()].reverse().join(''),
      shouldReEncrypt: false,
    }),
  },
}));

const { platform } = process;
const on = (name: NodeJS.Platform) => Object.defineProperty(process, 'platform', { value: name });

beforeEach(() => Object.assign(storage, { available: true, backend: 'gnome_libsecret' }));
afterEach(() => void on(platform));

describe('systemVault', () => {
  it('gives back what it sealed, and does not keep it as it is', async () => {
    const sealed = await systemVault.seal('hf_token');
    expect(sealed).not.toContain(Buffer.from('hf_token').toString('base64'));
    expect(await systemVault.unseal(sealed)).toBe('hf_token');
  });

  it('reads what was set before there was a key store, and refuses what is not its own', async () => {
    expect(await systemVault.unseal(await new PlainVault().seal('hf_token'))).toBe('hf_token');
    await expect(systemVault.unseal('hf_token')).rejects.toThrow('another program');
  });

  it('says honestly that nothing protects secrets where there is no key store', async () => {
    storage.available = false;
    expect(await systemVault.state()).toMatchObject({ protected: false, note: expect.stringContaining('unencrypted') });
    expect(await systemVault.unseal(await systemVault.seal('hf_token'))).toBe('hf_token');
  });

  it('calls encryption with a key that everybody knows what it is', async () => {
    on('linux');
    storage.backend = 'basic_text';
    expect(await systemVault.state()).toMatchObject({ protected: false, note: expect.stringContaining('scrambled') });
    storage.backend = 'kwallet6';
    const encrypted = (keeper: unknown) => ({ note: { key: 'desktop.encrypted', params: { keeper } } });
    expect(await systemVault.state()).toEqual({
      protected: true,
      note: expect.stringContaining('KWallet'),
      said: encrypted('KWallet'),
    });
    on('win32');
    expect(await systemVault.state()).toEqual({
      protected: true,
      note: expect.stringContaining('Windows'),
      said: encrypted({ key: 'desktop.windows' }),
    });
  });
});
