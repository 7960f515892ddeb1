import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../src-preload/contract/saying.ts';
import { isLoopback } from '../base/loopback.ts';
import { parsePublicUrl } from '../http/addresses.ts';
import { TlsFiles } from '../http/tls-files.ts';
import { configError } from './config-error.ts';
import type { Given } from './config-layers.ts';
import type { Config } from './config-schema.ts';

/**
 * Resolves paths and holds the value to its setting.
 * @throws CONFIG_INVALID naming origin, setting, what is wanted and what was found
 */
export function checkGiven(given: Given): Given {
  const { setting, origin, folder } = given;
  const value = setting.isPath ? resolvePath(given.value, folder, setting.isPath === 'always') : given.value;
  const { success, error } = setting.schema.safeParse(value);
  if (success) return { ...given, value };
  const index = error.issues[0]?.path[0];
  const found =
    Array.isArray(value) && typeof index === 'number'
      ? say('settings.holds', { value: describe(value[index]) })
      : say('settings.is', { value: describe(value, setting.secret) });
  throw configError(
    say('settings.wrong', { origin, path: setting.path, wanted: setting.wanted, found }),
    undefined,
    setting.path,
  );
}

/** Settings that do not go together, or one that cannot be as it is. */
export interface Contradiction {
  /** Paths of the settings at fault. */
  between: string[];
  error: QuarryError;
}

/** Rules that take more than one setting. @throws CONFIG_INVALID */
export function checkTogether(config: Config): void {
  const found = contradiction(config);
  if (found) throw found.error;
}

/** The first rule over more than one setting that is broken. */
export function contradiction(config: Config): Contradiction | undefined {
  const rules = [
    remoteNeedsAddress,
    openHostNeedsToken,
    certificateNeedsKey,
    publicUrlNeedsToken,
    publicUrlIsRoot,
    heatFallsBelow,
  ];
  return rules.map((rule) => rule(config)).find((found) => found !== undefined);
}

function remoteNeedsAddress({ backend, remote }: Config): Contradiction | undefined {
  if (backend !== 'remote' || remote.baseUrl) return undefined;
  const error = configError(say('settings.remoteWhere'), say('settings.setBaseUrl'), 'remote.baseUrl');
  return { between: ['backend', 'remote.baseUrl'], error };
}

function openHostNeedsToken({ host, apiToken }: Config): Contradiction | undefined {
  if (isLoopback(host) || apiToken) return undefined;
  const error = configError(say('settings.openHost', { host }), say('settings.tokenOrHost'), 'apiToken');
  return { between: ['host', 'apiToken'], error };
}

function certificateNeedsKey({ tlsCert, tlsKey }: Config): Contradiction | undefined {
  if ((tlsCert === undefined) === (tlsKey === undefined)) return undefined;
  const error = configError(say('settings.together'), undefined, 'tlsCert');
  return { between: ['tlsCert', 'tlsKey'], error };
}

function publicUrlNeedsToken({ publicUrl, apiToken }: Config): Contradiction | undefined {
  if (!publicUrl || apiToken) return undefined;
  const error = configError(say('settings.openUrl', { publicUrl }), say('settings.setToken'), 'apiToken');
  return { between: ['publicUrl', 'apiToken'], error };
}

/** The server would refuse it too, but only when the node is opened. */
function publicUrlIsRoot({ publicUrl }: Config): Contradiction | undefined {
  if (!publicUrl) return undefined;
  try {
    parsePublicUrl(publicUrl);
    return undefined;
  } catch (error) {
    return { between: ['publicUrl'], error: QuarryError.from(error) };
  }
}

function heatFallsBelow({ policy: { heatAbove, heatBelow } }: Config): Contradiction | undefined {
  if (heatBelow < heatAbove) return undefined;
  const error = configError(
    say('settings.heat', { heatBelow, heatAbove }),
    say('settings.degreesBetween'),
    'policy.heatBelow',
  );
  return { between: ['policy.heatAbove', 'policy.heatBelow'], error };
}

/** @param always false for a text that may be a name instead */
function resolvePath(value: unknown, folder: string, always: boolean): unknown {
  if (Array.isArray(value)) return value.map((part) => resolvePath(part, folder, always));
  if (typeof value !== 'string' || !(always || /[/\\]|\.gguf$/i.test(value))) return value;
  return resolve(folder, value.replace(/^~(?=$|[/\\])/, homedir()));
}

/** Longest part of a value that an error repeats. */
const MAX_SHOWN_CHARS = 200;

/** Perhaps an address with a password in it, however it was mistyped. */
const PASSWORD = /:.*@/s;

/** What stands there, as a noun phrase; of a secret, or what may hold one, only its kind. */
function describe(value: unknown, secret = false): Saying {
  if (Array.isArray(value)) return say('settings.aList', { length: value.length });
  if (value instanceof Date) return say('settings.aDate');
  if (typeof value === 'object') return say('settings.aTable');
  const kind = say(
    typeof value === 'string' ? 'settings.text' : typeof value === 'number' ? 'settings.number' : 'settings.value',
  );
  if (secret || (typeof value === 'string' && PASSWORD.test(value))) return say('settings.hidden', { kind });
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return say('settings.shown', {
    kind,
    shown: shown.length > MAX_SHOWN_CHARS ? `${shown.slice(0, MAX_SHOWN_CHARS)}…` : shown,
  });
}

/**
 * Looks at the files that these settings name: with a wrong one the node would not start again, and its screens would be
 * gone with it.
 * @param paths the settings that are about to change
 * @throws CONFIG_INVALID
 */
export async function checkFiles(config: Config, paths: ReadonlySet<string>, log: Logger): Promise<void> {
  const { tlsCert: cert, tlsKey: key } = config;
  if (cert && key && (paths.has('tlsCert') || paths.has('tlsKey'))) await new TlsFiles({ cert, key }, log).read();
  if (!paths.has('models.catalogues')) return;
  for (const path of config.models.catalogues) {
    await access(path, constants.R_OK).catch(({ code }: NodeJS.ErrnoException) => {
      throw configError(
        say('settings.catalogue', { path, code: String(code) }),
        say('settings.correctPath'),
        'models.catalogues',
      );
    });
  }
}
