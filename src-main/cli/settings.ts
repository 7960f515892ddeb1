import type { Command } from 'commander';
import type { Setting, SettingsView } from '../../src-preload/contract/settings.ts';
import type { Setting as KnownSetting } from '../settings/config-settings.ts';
import { knownSetting, typedValue } from './setting-value.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';
import { counted, shortened, table } from './terminal/output.ts';

const HELP = `
What is set here is what the pages of settings set: it stands over the configuration file, and below the environment and the
options of the command line. Switches are on or off; of a list each word is a part, and [] is an empty one. A secret is asked
for, or read from standard input, and never shown.`;

/** `quarry settings`: what is set, and setting it. */
export function registerSettings(program: Command): void {
  const settings = program
    .command('settings')
    .summary('what is set, and setting it')
    .description('settings: what each is, where its value comes from, and setting it')
    .addHelpText('after', HELP);
  settings
    .command('list', { isDefault: true })
    .argument('[word]', 'only those of a group, such as «data», or that have it in their name, such as «contact»')
    .option('--changed', 'only those that somebody has set')
    .description('all settings with their values, and who gave them')
    .action(runCommand(list));
  const setting = ['<setting>', 'its name, as «quarry settings» shows it', (path: string) => path] as const;
  settings
    .command('get')
    .argument(...setting)
    .description('everything about one: what it is for, what it may be, and when a change takes effect')
    .action(runCommand(get));
  settings
    .command('set')
    .argument(...setting)
    .argument('[values...]', 'what it is to be; several for a list')
    .description('set one')
    .action(runCommand(set));
  settings
    .command('unset')
    .argument('<settings...>', 'their names')
    .description('take back what was set: the configuration file counts again, or the default')
    .action(runCommand(unset));
}

async function list(
  { output, withNode }: CommandContext,
  word: string | undefined,
  { changed = false }: { changed?: boolean },
): Promise<void> {
  await withNode({}, async (node, runs) => {
    const view = await node.settings.list();
    const meant = asMeant(view.settings, word);
    const found = meant.filter(({ isSet, origin }) => !(changed && (!isSet || origin === 'default')));
    output.document(found);
    if (found.length === 0)
      return output.line(
        meant.length > 0 ? 'None of them is set by anybody.' : `No setting has «${word}» in its name.`,
      );
    output.line(
      table(
        ['SETTING', 'VALUE', 'FROM', ''],
        found.map((one) => rowOf(one, runs)),
      ),
    );
    output.note('More about one: quarry settings get SETTING');
    if (runs && view.restartNeeded) output.note(RESTART);
  });
}

/** Those of the group that is called so, as «data» or «data.models»; where there is none, those that have the word in their name. */
function asMeant(settings: readonly Setting[], word = ''): Setting[] {
  const wanted = word.toLowerCase().replace(/\.$/, '');
  const group = settings.filter(({ path }) => path.toLowerCase().startsWith(`${wanted}.`));
  return group.length > 0 ? group : settings.filter(({ path }) => path.toLowerCase().includes(wanted));
}

const RESTART = 'Some wait for the node to be started again.';

const rowOf = (setting: Setting, runs: boolean) => [
  ...[setting.path, shortened(valueText(setting), MOST_SHOWN), setting.origin],
  runs && setting.waitsForRestart ? 'waits for a restart' : '',
];

async function get({ output, withNode }: CommandContext, path: string): Promise<void> {
  const { variable } = knownSetting(path);
  await withNode({}, async (node, runs) => {
    const setting = settingIn(await node.settings.list(), path);
    output.document(setting);
    output.line(`${setting.path} = ${valueText(setting)}\n\n${setting.description}\n`);
    output.line(table(['', ''], factsOf(setting, variable)));
    if (setting.withheld) output.line(setting.withheld);
    if (runs && setting.waitsForRestart) output.note('It was changed, and waits for the node to be started again.');
  });
}

const factsOf = (setting: Setting, variable: string) => [
  ['may be', setting.choices?.join(', ') ?? setting.wanted],
  ['default', defaultText(setting)],
  ['given by', setting.origin],
  ['a change', setting.applies === 'now' ? 'takes effect at once' : 'takes effect when the node is started again'],
  ['variable', variable],
];

async function set(context: CommandContext, path: string, words: string[]): Promise<void> {
  const known = knownSetting(path);
  const value = await typedValue(known, words, { folder: process.cwd() });
  await change(context, [known], value);
}

async function unset(context: CommandContext, paths: string[]): Promise<void> {
  await change(context, paths.map(knownSetting), null);
}

/** Who gave the value that counts now, where that was not just typed. */
const GIVEN_BY: Readonly<Record<Setting['origin'], string>> = {
  default: ' (the default)',
  elsewhere: ' (another program has set it)',
  file: ' (from the configuration file)',
  app: '',
  environment: ' (from the environment)',
  'command line': ' (from the command line)',
};

/** @param value null to take back what was set */
async function change(
  { output, withNode }: CommandContext,
  known: readonly KnownSetting[],
  value: unknown,
): Promise<void> {
  await withNode({}, async (node, runs) => {
    const view = await node.settings.set({ changes: Object.fromEntries(known.map(({ path }) => [path, value])) });
    const changed = known.map(({ path }) => settingIn(view, path));
    output.document(changed);
    for (const one of changed) output.line(`${one.path} = ${valueText(one)}${GIVEN_BY[one.origin]}`);
    const waiting = changed.filter(({ waitsForRestart }) => waitsForRestart);
    if (!runs || waiting.length === 0) return;
    output.note(
      `${counted(waiting.length, 'setting')} will take effect when the node is started again: quarry stop, then quarry start.`,
    );
  });
}

function settingIn({ settings }: SettingsView, path: string): Setting {
  const setting = settings.find((one) => one.path === path);
  if (!setting) throw new Error(`the node knows no setting ${path}`);
  return setting;
}

/** Of a secret only whether it is set. */
function valueText({ secret, isSet, value, shownDefault }: Setting): string {
  if (secret) return isSet ? 'set, and hidden' : 'not set';
  return value === undefined ? (shownDefault ?? 'not set') : textOf(value);
}

function defaultText({ shownDefault, defaultValue }: Setting): string {
  return shownDefault ?? (defaultValue === undefined ? 'none' : textOf(defaultValue));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value);
}

/** Characters of a value that a table has room for. */
const MOST_SHOWN = 61;
