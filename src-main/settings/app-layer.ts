import { dirname } from 'node:path';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { configError } from '../base/setting.ts';
import { ignoring } from '../base/swallowed.ts';
import { type AppSettings, sealedSchema } from './app-settings.ts';
import { checkGiven } from './config-check.ts';
import { type Given, unknownSetting } from './config-layers.ts';
import { type Setting, settingAt } from './config-settings.ts';
import type { SecretVault } from './secret-vault.ts';
import { plainText } from './secret-vault.ts';

export interface AppLayer {
  given: Given[];
  /** What was left out and why, a sentence each. */
  warnings: string[];
}

/** The texts of sealed secrets; undefined for one that cannot be read here. */
export type Unsealed = (sealed: string) => string | undefined;

/** Opens every secret that the vault can open, and those that were never really sealed. */
export async function unsealAll(settings: AppSettings, vault: SecretVault): Promise<Unsealed> {
  const opened = new Map<string, string>();
  for (const value of settings.values()) {
    const { data } = sealedSchema.safeParse(value);
    if (!data) continue;
    const text =
      plainText(data.sealed) ??
      (await vault.unseal(data.sealed).catch(ignoring('the key store that sealed it is another one or away')));
    if (text !== undefined) opened.set(data.sealed, text);
  }
  return (sealed) => opened.get(sealed);
}

/** The text of a secret as it stands in the app's file; undefined for none, and for one that cannot be read here. */
export function secretText(value: unknown, unsealed: Unsealed): string | undefined {
  const { data } = sealedSchema.safeParse(value);
  if (data) return unsealed(data.sealed);
  return typeof value === 'string' ? value : undefined;
}

/** Unknown entries of the app's file that are named, with what they may have been meant to be: to find that takes time. */
const MAX_UNKNOWN_NAMED = 20;

/** What was set in the app, as a layer. An entry that cannot be used is left out: it must not keep the node from starting. */
export function fromApp(settings: AppSettings, file: string, unsealed: Unsealed): AppLayer {
  const warnings: string[] = [];
  let unknown = 0;
  const given = [...settings].flatMap(([path, value]) => {
    if (!settingAt(path) && ++unknown > MAX_UNKNOWN_NAMED) return [];
    try {
      return [checkGiven(givenByApp(path, value, file, unsealed))];
    } catch (error) {
      warnings.push(`${QuarryError.from(error).message} It is left out.`);
      return [];
    }
  });
  const more = unknown - MAX_UNKNOWN_NAMED;
  if (more > 0) warnings.push(`${more} more entries of ${file} are no settings. They are left out.`);
  return { given, warnings };
}

/** A setting that can be set in the app. @throws CONFIG_INVALID */
export function settableSetting(path: string): Setting {
  const setting = settingAt(path);
  if (!setting) throw unknownSetting(path);
  if (path === 'dataDir') {
    const hint = say('settings.dataDirHow');
    throw configError(say('settings.dataDir'), hint, path);
  }
  return setting;
}

function givenByApp(path: string, value: unknown, file: string, unsealed: Unsealed): Given {
  const given = { setting: settableSetting(path), layer: 'app' as const, origin: file, folder: dirname(file) };
  const { data } = sealedSchema.safeParse(value);
  if (!data || !given.setting.secret) return { ...given, value };
  const text = unsealed(data.sealed) ?? given.setting.standIn?.(data.sealed);
  if (text === undefined) throw configError(say('settings.sealed', { file, path }));
  return { ...given, value: text, ...(data.for !== undefined && { setFor: data.for }) };
}
