import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Saying, sentence } from '../../../src-preload/contract/saying.ts';
import { SETTINGS, type Setting } from '../../settings/config-settings.ts';
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

function optionOf(
  { type, choices, min, max, hint }: Setting,
  { form, help, hidden = false }: NonNullable<Setting['option']>,
): Option {
  const option = new Option(form, help).hideHelp(hidden);
  if (choices) return ofChoices(option.choices(choices), choices, hint);
  if (type === 'list') return option.argParser(collect);
  return type === 'number' ? option.argParser(integer(min ?? 0, max)) : option;
}

/** @param hint what to do about another value */
function ofChoices(option: Option, choices: readonly string[], hint: Saying | undefined): Option {
  if (!hint) return option;
  return option.argParser((text) => {
    if (choices.includes(text)) return text;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}. ${sentence(hint)}`);
  });
}

/** A command may have a switch of the same name. */
function isFlag(value: unknown): value is string | number | string[] {
  return typeof value === 'string' || typeof value === 'number' || Array.isArray(value);
}
