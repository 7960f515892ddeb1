import { type Saying, say } from '../../src-preload/contract/saying.ts';
import type { Given } from './config-layers.ts';
import type { Config } from './config-schema.ts';
import { SETTINGS, settingAt, valueAt } from './config-settings.ts';

/** A secret that is set, but was set for another server than the one that it would be sent to now. */
export interface WithheldSecret {
  /** Path of its setting. */
  secret: string;
  /** Scheme, host and port of the server that is set now. */
  origin: string;
}

/** The server that a secret is sent to with this configuration, as its origin; undefined where there is none. */
export function serverOf(secret: string, config: Config): string | undefined {
  const { sentTo } = settingAt(secret) ?? {};
  return sentTo === undefined ? undefined : originOf(valueAt(config, sentTo));
}

/**
 * The secrets that must not be used. Whoever may set an address must not get the secret that was meant for another one: what
 * was set in the app belongs to the server of that moment; what a file, a variable or an option says, to the server that
 * they name among them, or the default.
 */
export function withheldSecrets(given: readonly Given[], config: Config): WithheldSecret[] {
  return SETTINGS.flatMap(({ path: secret, sentTo }) => {
    if (sentTo === undefined) return [];
    const holder = given.findLast(({ setting }) => setting.path === secret);
    const origin = serverOf(secret, config);
    if (!holder || origin === undefined) return [];
    const meant = holder.layer === 'app' ? holder.setFor : originOf(addressBesideApp(given, sentTo));
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
