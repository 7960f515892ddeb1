import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { registerSettings } from '../../../src-main/cli/settings.ts';
import type { CommandContext } from '../../../src-main/cli/terminal/command.ts';
import type { Setting } from '../../../src-preload/contract/settings.ts';
import { commandContext } from '../../support/command-context.ts';

const commands = vi.hoisted(() => ({ context: undefined as unknown }));
vi.mock('../../../src-main/cli/terminal/command.ts', () => ({
  runCommand: (run: (context: CommandContext, ...args: unknown[]) => Promise<void>) => {
    return (...args: unknown[]) => run(commands.context as CommandContext, ...args);
  },
}));
afterEach(() => {
  commands.context = undefined;
});

const setting = (path: string, more: Partial<Setting> = {}): Setting => ({
  ...{ path, type: 'string', origin: 'default', secret: false, isSet: false, description: `What ${path} is for.` },
  ...{ wanted: 'text', applies: 'now', waitsForRestart: false, said: {}, ...more },
});
const SETTINGS = [
  setting('data.contact', { shownDefault: 'none' }),
  setting('data.folders', { type: 'list', value: ['/a', '/b'], isSet: true, origin: 'file', defaultValue: [] }),
  setting('data.upload.token', { secret: true, isSet: true, origin: 'app' }),
  setting('port', { type: 'number', value: 8_000, isSet: true, origin: 'app', applies: 'restart' }),
];

/** What a command writes, to a node out of a script; and what was set. */
async function typed(runs: boolean, ...words: string[]) {
  const changes: object[] = [];
  const all = structuredClone(SETTINGS);
  const view = () => ({ settings: all, restartNeeded: all.some((one) => one.waitsForRestart), file: 'f' });
  const set = async (input: { changes: Record<string, unknown> }) => {
    changes.push(input.changes);
    for (const [path, value] of Object.entries(input.changes)) {
      const one = all.find((known) => known.path === path);
      const isSet = value !== null;
      const now = {
        isSet,
        origin: isSet ? ('app' as const) : ('default' as const),
        waitsForRestart: one?.applies === 'restart',
      };
      if (one) Object.assign(one, { ...now, value: isSet && !one.secret ? value : undefined });
    }
    return view();
  };
  const commanded = commandContext({ settings: { list: async () => view(), set } }, runs);
  commands.context = commanded.context;
  const program = new Command();
  registerSettings(program);
  await program.parseAsync(['settings', ...words], { from: 'user' });
  return { ...commanded, changes, text: commanded.lines.join('\n') };
}

it('lists settings with who gave each; of a secret only that it is set', async () => {
  const { text, documents } = await typed(false, 'list', 'DATA');
  expect(text).toMatch(/data\.contact +none +default/);
  expect(text).toMatch(/data\.folders +\/a, \/b +file/);
  expect(text).toMatch(/data\.upload\.token +set, and hidden +app/);
  expect(text).not.toContain('port');
  expect(documents).toEqual([SETTINGS.slice(0, 3)]);
});

it('lists those that somebody has set, and says where none is called so', async () => {
  const { documents } = await typed(false, '--changed');
  expect(documents).toEqual([SETTINGS.slice(1)]);
  expect((await typed(false, 'list', 'nothing')).text).toBe('No setting is called so.');
});

it('tells everything about one', async () => {
  const { text, documents } = await typed(false, 'get', 'port');
  expect(text).toContain('What port is for.');
  expect(text).toMatch(/a change +takes effect when the node is started again/);
  expect(text).toMatch(/variable +QUARRY_PORT/);
  expect(documents).toEqual([SETTINGS[3]]);
  await expect(typed(false, 'get', 'prot')).rejects.toThrow(/port/);
});

it('sets one, and says what is as it is by whom; what waits for a restart only where a node runs', async () => {
  const contact = await typed(true, 'set', 'data.contact', 'ada@example.org');
  expect([contact.changes, contact.lines]).toEqual([
    [{ 'data.contact': 'ada@example.org' }],
    ['data.contact = ada@example.org'],
  ]);
  const port = await typed(true, 'set', 'port', '9000');
  expect(port.changes).toEqual([{ port: 9_000 }]);
  expect(port.text).toContain(
    '1 setting will take effect when the node is started again: quarry stop, then quarry start.',
  );
  expect((await typed(false, 'set', 'port', '9000')).lines).toEqual(['port = 9000']);
});

it('takes back what was set', async () => {
  const { changes, lines } = await typed(false, 'unset', 'data.folders', 'data.contact');
  expect(changes).toEqual([{ 'data.folders': null, 'data.contact': null }]);
  expect(lines).toEqual(['data.folders = not set (the default)', 'data.contact = none (the default)']);
});
