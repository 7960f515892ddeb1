import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { registerClipModels } from '../../../../src-main/cli/data/models.ts';
import type { CommandContext } from '../../../../src-main/cli/terminal/command.ts';
import type { ClipModelView } from '../../../../src-preload/contract/data-models.ts';
import { commandContext } from '../../../support/command-context.ts';

const commands = vi.hoisted(() => ({ context: undefined as unknown }));
vi.mock('../../../../src-main/cli/terminal/command.ts', () => ({
  runCommand: (run: (context: CommandContext, ...args: unknown[]) => Promise<void>) => {
    return (...args: unknown[]) => run(commands.context as CommandContext, ...args);
  },
}));
afterEach(() => {
  commands.context = undefined;
  process.exitCode = undefined;
});

const model = (more: Partial<ClipModelView> = {}): ClipModelView => ({
  ...{ name: 'whisper-tiny', title: 'Whisper tiny', description: 'Writes down.', licence: 'MIT', kind: 'words' },
  ...{ isHere: false, isChosen: true, roughBytes: 104_000_000, ...more },
});

/** What a command writes, to a node out of a script. */
async function typed(data: object, signal: AbortSignal, ...words: string[]) {
  const commanded = commandContext({ data });
  commands.context = { ...commanded.context, signal };
  const program = new Command('data');
  registerClipModels(program);
  await program.parseAsync(['models', ...words], { from: 'user' });
  return commanded;
}
const never = new AbortController().signal;

it('lists models with size and licence, and says how one is fetched', async () => {
  const thresholds = { same: 0.93, novel: 0.1, unrelated: 0.05, closest: 0.2 };
  const known = [
    { kind: 'pictures', name: 'siglip2-base', thresholds, measured: { by: 80, at: Date.UTC(2026, 10, 30, 12) } },
    { kind: 'sounds', name: 'clap-htsat', thresholds: null, measured: null },
  ];
  const siglip = model({ name: 'siglip2-base', kind: 'pictures' });
  const { lines, documents } = await typed(
    { models: async () => [model(), siglip], thresholds: async () => known },
    never,
  );
  expect(lines[0]).toMatch(/whisper-tiny +words +about 104 MB +MIT +Writes down\./);
  expect(lines.slice(1)).toEqual([
    'siglip2-base: two clips are the same from a cosine of 0.930 on (measured with 80 clips, 30 Nov 2026)',
    'clap-htsat: nobody has measured from where on clips are alike to it: quarry calibrate clips',
    'Fetch one: quarry data models fetch NAME',
  ]);
  expect(documents).toEqual([[model(), { ...siglip, thresholds, measured: known[0]?.measured }]]);
});

it('says of one that is fetched when it is not in use', async () => {
  const fetchModel = vi.fn(async () => (async function* () {})());
  const models = async () => [model({ isHere: true, isChosen: false })];
  const { lines } = await typed({ models, fetchModel }, never, 'fetch', 'whisper-tiny');
  expect(fetchModel).toHaveBeenCalledWith({ name: 'whisper-tiny' }, expect.anything());
  expect(lines).toEqual([
    'whisper-tiny is here.',
    'It is not in use yet: quarry settings set data.models.words whisper-tiny',
  ]);
});

it('says how to go on after ^C', async () => {
  const ending = new AbortController();
  const fetchModel = async () => {
    ending.abort(new Error('enough'));
    throw ending.signal.reason;
  };
  const { lines } = await typed({ fetchModel }, ending.signal, 'fetch', 'whisper-tiny');
  expect(lines).toEqual(['Stopped; nothing is lost. Go on with: quarry data models fetch whisper-tiny']);
  expect(process.exitCode).toBe(130);
});

it('removes one', async () => {
  const removeModel = vi.fn(async () => undefined);
  const { lines } = await typed({ removeModel }, never, 'remove', 'whisper-tiny');
  expect(removeModel).toHaveBeenCalledWith({ name: 'whisper-tiny' });
  expect(lines).toEqual(['whisper-tiny is no longer here.']);
});
