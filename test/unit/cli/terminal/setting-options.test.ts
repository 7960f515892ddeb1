import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addSettingOptions, settingFlags } from '../../../../src-main/cli/terminal/setting-options.ts';
import { SETTINGS } from '../../../../src-main/settings/config-settings.ts';

const quiet = { writeOut: () => undefined, writeErr: () => undefined };

/** What `quarry start` and its like give, by the path of the setting. */
function given(...args: string[]) {
  const program = addSettingOptions(new Command('quarry')).exitOverride().configureOutput(quiet);
  let flags: Record<string, unknown> = {};
  const start = addSettingOptions(program.command('start').exitOverride().configureOutput(quiet), 'start');
  start.action((_own, command: Command) => {
    flags = command.optsWithGlobals();
  });
  const ask = program.command('ask').option('--mesh', 'a switch').option('--model <name>', 'a name');
  ask.action((_own, command: Command) => {
    flags = command.optsWithGlobals();
  });
  program.parse(args, { from: 'user' });
  return settingFlags(flags);
}

describe('options that set settings', () => {
  it('are those that the sections name, each on its command', () => {
    const program = addSettingOptions(new Command('quarry'));
    const start = addSettingOptions(new Command('start'), 'start');
    const forms = ({ options }: Command) => options.map(({ flags }) => flags);
    expect(forms(program)).toEqual([
      '--data <dir>',
      '--bootstrap <host:port>',
      '--database <url>',
      '--port <n>',
      '--mesh-name <name>',
    ]);
    expect(forms(start).toSorted()).toEqual([
      '--credits-rule <rule>',
      '--kv-cache <type>',
      '--mine',
      '--model <name>',
      '--role <role>',
    ]);
    const chain = addSettingOptions(new Command('chain'), 'chain');
    expect(forms(chain)).toEqual(['--network <name>', '--endpoint <url>']);
    expect(forms(program).length + forms(start).length + forms(chain).length).toBe(
      SETTINGS.filter(({ option }) => option).length,
    );
  });

  it('give their values by the path of the setting', () => {
    expect(given('start', '--mesh-name', 'ours', '--port', '0', '--role', 'client', '--data', 'here')).toEqual({
      'mesh.name': 'ours',
      port: 0,
      role: 'client',
      dataDir: 'here',
    });
    expect(given('--bootstrap', 'a:1', 'start', '--bootstrap', 'b:2')).toEqual({ bootstrap: ['a:1', 'b:2'] });
    expect(given('ask')).toEqual({});
  });

  it('are held to their setting before a command runs', () => {
    expect(() => given('start', '--port', '65536')).toThrow('A whole number from 0 to 65535 is wanted.');
    expect(() => given('start', '--role', 'king')).toThrow('Allowed choices are miner, client, validator.');
  });

  it('--mesh is who answers, --mesh-name which mesh; no switch is taken for a setting', () => {
    expect(() => given('start', '--mesh', 'ours')).toThrow("unknown option '--mesh'");
    expect(given('ask', '--mesh', '--model', 'tiny')).toEqual({ model: 'tiny' });
  });
});
