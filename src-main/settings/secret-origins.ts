import { type Saying, say } from '../../src-preload/contract/saying.ts';
import type { Given } from './config-layers.ts';
import type { Config } from './config-schema.ts';
import { settingAt, valueAt } from './config-settings.ts';

/** Secrets that are sent to a server, each with the setting that says which. */
const SENT_TO: Readonly<Record<string, string>> = {
  'models.token': 'models.endpoint',
  'remote.apiKey': 'remote.baseUrl',
};

/** A secret that is set, but was set for another server than the one that it would be sent to now. */
export interface WithheldSecret {
  /** Path of its setting. */
  secret: string;
  /** Scheme, host and port of the server that is set now. */
  origin: string;
}

/** The server that a secret is sent to with this configuration, as its origin; undefined where there is none. */
export function serverOf(secret: string, config: Config): string | undefined {
  const address = SENT_TO[secret];
  return address === undefined ? undefined : originOf(valueAt(config, address));
}

/**
 * The secrets that must not be used. Whoever may set an address must not get the secret that was meant for another one: what
 * was set in the app belongs to the server of that moment; what a file, a variable or an option says, to the server that
 * they name among them, or the default.
 */
export function withheldSecrets(given: readonly Given[], config: Config): WithheldSecret[] {
  return Object.entries(SENT_TO).flatMap(([secret, address]) => {
    const holder = given.findLast(({ setting }) => setting.path === secret);
    const origin = serverOf(secret, config);
    if (!holder || origin === undefined) return [];
    const meant = holder.layer === 'app' ? holder.setFor : originOf(addressBesideApp(given, address));
    return meant === origin ? [] : [{ secret, origin }];
  });
}

/** Why it is not used. */
export function withheldWords({ secret, origin }: WithheldSecret): Saying {
  return say('settings.withheld', { secret, origin });
}

function addressBesideApp(given: readonly Given[], path: string): unknown {
  const beside = given.findLast(({ setting, layer }) => setting.path === path && layer !== 'app');
  return beside ? beside.value : settingAt(path)?.schema.safeParse(undefined).data;
}

function originOf(address: unknown): string | undefined {
  return typeof address === 'string' ? URL.parse(address)?.origin : undefined;
}
