import type { DesktopState } from '../../src-preload/contract/desktop.ts';
import { say, told } from '../../src-preload/contract/saying.ts';

/** Where tokens and keys that are set in the app are kept. */
export interface SecretVault {
  /** @returns text that only {@link unseal} of this vault can read, as far as `state` says */
  seal(secret: string): Promise<string>;
  /** @throws when it was sealed by another vault, or the key is gone */
  unseal(sealed: string): Promise<string>;
  state(): Promise<DesktopState['secrets']>;
}

const MARK = 'plain:';

/** The text of what {@link PlainVault} sealed; undefined for what another vault did. */
export function plainText(sealed: string): string | undefined {
  return sealed.startsWith(MARK) ? Buffer.from(sealed.slice(MARK.length), 'base64').toString('utf8') : undefined;
}

/** For hosts without a key store: secrets stay readable, and only the permissions of their file guard them. */
export class PlainVault implements SecretVault {
  /** Base64 hides nothing: it only keeps a secret from being read by accident. */
  async seal(secret: string): Promise<string> {
    return MARK + Buffer.from(secret, 'utf8').toString('base64');
  }

  /** @throws Error for what another vault sealed */
  async unseal(sealed: string): Promise<string> {
    const text = plainText(sealed);
    if (text === undefined) throw new Error('it was sealed by the desktop app');
    return text;
  }

  async state(): ReturnType<SecretVault['state']> {
    return {
      protected: false,
      ...told({ note: say('desktop.unencrypted') }),
    };
  }
}
