import { QuarryError } from '../../src-preload/contract/errors.ts';
import { withoutRelativePaths } from '../settings/config-check.ts';
import { fromText, unknownSetting } from '../settings/config-layers.ts';
import { type Setting, settingAt } from '../settings/config-settings.ts';
import { askHidden } from './terminal/password.ts';

/** @throws CONFIG_INVALID where there is none at that path, with the one that may have been meant */
export function knownSetting(path: string): Setting {
  const setting = settingAt(path);
  if (setting) return setting;
  throw unknownSetting(path);
}

/**
 * What was typed for a setting, as the contract takes it. A secret is asked for, so that it stands in no history and in no list of processes.
 * @param folder that relative paths start from
 * @throws BAD_REQUEST where there is no value, more than one, or a secret among the arguments; CANCELLED by Ctrl+C
 */
export async function typedValue(
  setting: Setting,
  words: readonly string[],
  { folder, ask = askHidden }: { folder: string; ask?: (question: string) => Promise<string> },
): Promise<unknown> {
  const [word, ...more] = words;
  if (setting.secret) {
    if (word !== undefined) throw secretShown(setting.path);
    const typed = await ask(`${setting.path}: `);
    if (typed === '') throw noValue(setting.path);
    return typed;
  }
  if (word === undefined) throw noValue(setting.path);
  if (setting.type === 'list') return withoutRelativePaths(setting, listOf(setting, words), folder);
  if (more.length > 0) throw oneValue(setting.path, words);
  return withoutRelativePaths(
    setting,
    setting.type === 'switch' ? (SWITCHED.get(word) ?? word) : fromText(word, setting),
    folder,
  );
}

/** Each word is a part of it; a name of a folder may have a comma, and nothing else is parted by anything but commas. */
function listOf(setting: Setting, words: readonly string[]): unknown {
  if (words.join() === '[]') return [];
  return setting.isPath ? words : fromText(words.join(), setting);
}

const SWITCHED: ReadonlyMap<string, boolean> = new Map([
  ...['on', 'yes', 'true'].map((word) => [word, true] as const),
  ...['off', 'no', 'false'].map((word) => [word, false] as const),
]);

const noValue = (path: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: `Say what ${path} is to be.`,
    hint: `To go back to its default: quarry settings unset ${path}`,
    field: path,
  });

const oneValue = (path: string, words: readonly string[]) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: `${path} takes one value, and ${words.length} were given.`,
    hint: 'Put a value that has spaces in it in quotes.',
    field: path,
  });

const secretShown = (path: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: `${path} is a secret: what is typed behind a command can be read by others, and stays in the shell’s history.`,
    hint: `Leave it out, and it is asked for: quarry settings set ${path}`,
    field: path,
  });
