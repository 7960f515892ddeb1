import { basename } from 'node:path/posix';
import { GenericProvider } from 'electron-updater/out/providers/GenericProvider.js';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { isFeedSigned, SIGNATURE_SUFFIX } from './feed-signature.ts';

type Made = ConstructorParameters<typeof GenericProvider>;
type Asked = Parameters<GenericProvider['httpRequest']>;

/**
 * A place of updates whose list counts only if it is signed with a key (64 hex): it names each package with its SHA-512, which
 * electron-updater checks. What is not signed is not even read.
 */
export function signedFeed(key: string) {
  return class SignedFeed extends GenericProvider {
    constructor({ url = '' }: { [option: string]: string }, updater: Made[1], runtime: Made[2]) {
      super({ provider: 'generic', url }, updater, runtime);
    }

    /** @throws QuarryError PROTOCOL for a list that the key has not signed */
    protected override async httpRequest(list: Asked[0], ...more: [Asked[1]?, Asked[2]?]): Promise<string> {
      const signature = new URL(list);
      signature.pathname += SIGNATURE_SUFFIX;
      const text = (await super.httpRequest(list, ...more)) ?? '';
      const signed = (await super.httpRequest(signature, ...more).catch(ifNotThere)) ?? '';
      if (isFeedSigned(basename(list.pathname), text, signed, key)) return text;
      throw new QuarryError({ code: 'PROTOCOL', message: say('desktop.feedNotSigned') });
    }
  };
}

/** @throws any other failure: it says nothing of the signature */
function ifNotThere(error: unknown): undefined {
  if ((error as { statusCode?: number }).statusCode === 404) return undefined;
  throw error;
}
