import { type Command, Option } from 'commander';
import { SETTINGS, type Setting } from '../settings/config-settings.ts';
import { collect, integer } from './arguments.ts';

/** What an option gives, by the name that commander has for it. */
type Given = Readonly<Record<string, unknown>>;

/** Adds the options that set settings: to the program those that every command takes, to a command its own. */
export function addSettingOptions(target: Command, command?: string): Command {
  for (const setting of SETTINGS) {
    const { option } = setting;
    if (option && option.command === command) target.addOption(optionOf(setting, option));
  }
  return target;
}

/** The options that set settings, as the configuration takes them: by the path of their setting. */
export function settingFlags(given: Given): Record<string, string | number | string[]> {
  return Object.fromEntries(
    SETTINGS.flatMap(({ path, flag, type }) => {
      const value = flag === undefined ? undefined : given[new Option(flag).attributeName()];
      if (type === 'switch') return value === true ? [[path, 'true']] : [];
      return isFlag(value) ? [[path, value]] : [];
    }),
  );
}

function optionOf({ type, choices, min, max }: Setting, { form, help }: NonNullable<Setting['option']>): Option {
  const option = new Option(form, help);
  if (choices) return option.choices(choices);
  if (type === 'list') return option.argParser(collect);
  return type === 'number' ? option.argParser(integer(min ?? 0, max)) : option;
}

/** A command may have a switch of the same name. */
function isFlag(value: unknown): value is string | number | string[] {
  return typeof value === 'string' || typeof value === 'number' || Array.isArray(value);
}
