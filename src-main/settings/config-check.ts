import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { type Saying, say } from '../../src-preload/contract/saying.ts';
import { type Contradiction, configError } from '../base/setting.ts';
import type { Given } from './config-layers.ts';
import { type Config, SECTIONS } from './config-schema.ts';
import type { Setting } from './config-settings.ts';

/**
 * Resolves paths and holds the value to its setting.
 * @throws CONFIG_INVALID naming origin, setting, what is wanted and what was found
 */
export function checkGiven(given: Given): Given {
  const { setting, origin, folder } = given;
  const value = withoutRelativePaths(setting, given.value, folder);
  const { success, error } = setting.schema.safeParse(value);
  if (success) return { ...given, value };
  const index = error.issues[0]?.path[0];
  const found =
    Array.isArray(value) && typeof index === 'number'
      ? say('settings.holds', { value: describe(value[index]) })
      : say('settings.is', { value: describe(value, setting.secret) });
  throw configError(
    say('settings.wrong', { origin, path: setting.path, wanted: setting.wanted, found }),
    setting.hint,
    setting.path,
  );
}

/** Rules that take more than one setting. @throws CONFIG_INVALID */
export function checkTogether(config: Config): void {
  const found = contradiction(config);
  if (found) throw found.error;
}

/** The first rule over more than one setting that is broken. */
export function contradiction(config: Config): Contradiction | undefined {
  for (const section of SECTIONS) {
    const found = section.contradiction?.(config);
    if (found) return found;
  }
  return friendsNeedASecret(config);
}

/** A name keeps nobody out: strangers would be served without limit. */
function friendsNeedASecret({ credits, mesh }: Config): Contradiction | undefined {
  if (credits.rule !== 'witnessed' || mesh.secret) return undefined;
  const error = configError(say('settings.friendsAreStrangers'), say('settings.setASecret'), 'credits.rule');
  return { between: ['credits.rule', 'mesh.secret'], error };
}

/** Where a path or a name may stand: whether it is a path, or a file's name. */
export function looksLikePath(text: string): boolean {
  return /[/\\]|\.gguf$/i.test(text);
}

/** The value, with each path in it made absolute. @param folder that a relative one starts from */
export function withoutRelativePaths({ isPath }: Pick<Setting, 'isPath'>, value: unknown, folder: string): unknown {
  return isPath ? resolvePath(value, folder, isPath === 'always') : value;
}

/** @param always false for a text that may be a name instead */
function resolvePath(value: unknown, folder: string, always: boolean): unknown {
  if (Array.isArray(value)) return value.map((part) => resolvePath(part, folder, always));
  if (typeof value !== 'string' || !(always || looksLikePath(value))) return value;
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
 * @param changed paths of the settings that are about to change
 * @throws CONFIG_INVALID
 */
export async function checkFiles(config: Config, changed: ReadonlySet<string>, log: Logger): Promise<void> {
  for (const section of SECTIONS) await section.checkFiles?.(config, changed, log);
}
