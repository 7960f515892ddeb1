import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { SayingKey } from '../../../../src-preload/contract/saying.ts';
import { isLoopbackUrl } from '../../../base/loopback.ts';

/** Where the data set is uploaded to, as the settings say. */
export interface Destination {
  /** Beginning of the hub's address, without a slash at its end. */
  endpoint: string;
  /** `OWNER/NAME`. */
  repository: string;
  /** For a repository that is made. */
  isPrivate: boolean;
  token: string | null;
}

/** What is said of it without its token. */
export type Place = Omit<Destination, 'token'>;

/** @returns null where the settings name no endpoint or no repository */
export function destinationOf(settings: {
  endpoint?: string | undefined;
  repository?: string | undefined;
  private: boolean;
  token?: string | undefined;
}): Destination | null {
  const { endpoint, repository, token = null } = settings;
  if (!endpoint || !repository) return null;
  return { endpoint: endpoint.replace(/\/+$/, ''), repository, isPrivate: settings.private, token };
}

/** Over https, or to this computer: what is private is not read on its way. */
export function isSafe(address: string | URL): boolean {
  const url = URL.parse(String(address));
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackUrl(url));
}

/** @throws CONFIG_INVALID where it lacks something, or is not safe */
export function checked(destination: Destination | null): Destination & { token: string } {
  if (!destination) throw unfit('dataSet.nowhere', 'dataSet.nameIt');
  const { token } = destination;
  if (!isSafe(destination.endpoint)) throw unfit('dataSet.unsafe', 'dataSet.overHttps');
  if (token === null) throw unfit('dataSet.noToken', 'dataSet.enterToken');
  return { ...destination, token };
}

const unfit = (message: SayingKey, hint: SayingKey) =>
  new QuarryError({ code: 'CONFIG_INVALID', message: { key: message }, hint: { key: hint } });
