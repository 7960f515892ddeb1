import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { registerDataSet } from '../../../../src-main/cli/data/data-set.ts';
import type { CommandContext } from '../../../../src-main/cli/terminal/command.ts';
import type { DataSetProgress } from '../../../../src-preload/contract/data-set.ts';
import { commandContext } from '../../../support/command-context.ts';

const commands = vi.hoisted(() => ({ context: undefined as unknown }));
vi.mock('../../../../src-main/cli/terminal/command.ts', () => ({
  runCommand: (run: (context: CommandContext, ...args: unknown[]) => Promise<void>) => {
    return (...args: unknown[]) => run(commands.context as CommandContext, ...args);
  },
}));
afterEach(() => {
  commands.context = undefined;
});

const progress = (more: Partial<DataSetProgress>): DataSetProgress => ({
  ...{ step: 'writing', done: 0, of: null, files: [], leftOut: [], url: null, ...more },
});
const FILE = { name: 'default/train/001/A.parquet', rows: 512, bytes: 2_000_000 };

/** What a command writes, to a node out of a script. */
async function typed(data: object, ...words: string[]) {
  const commanded = commandContext({ data });
  commands.context = commanded.context;
  const program = new Command('data');
  registerDataSet(program);
  await program.parseAsync(words, { from: 'user' });
  return commanded;
}

async function* steps(...list: DataSetProgress[]) {
  yield* list;
}

it('exports, and tells of files and of what was left out', async () => {
  const leftOut = [{ why: { text: 'They were taken down.' }, rows: 4 }];
  const run = vi.fn(async () => steps(progress({}), progress({ step: 'done', files: [FILE], leftOut })));
  const { lines, documents } = await typed({ export: run }, 'export', '--flush');
  expect(run).toHaveBeenCalledWith({ flush: true }, expect.anything());
  expect(lines).toEqual(['default/train/001/A.parquet: 512 clips, 2 MB', 'Left out: 4. They were taken down.']);
  expect(documents).toEqual([progress({ step: 'done', files: [FILE], leftOut })]);
});

it('says how many wait where none was written', async () => {
  const dataSet = async () => ({ waiting: { videos: 3, sounds: 0 }, least: { videos: 512, sounds: 128 } });
  const { lines } = await typed({ export: async () => steps(progress({ step: 'done' })), dataSet }, 'export');
  expect(lines[0]).toBe('No file was written: 3 clips and 0 sounds wait, and a file has 512 or 128 at the least.');
});

it('says what would be uploaded', async () => {
  const run = vi.fn(async () =>
    steps(progress({ step: 'done', files: [{ ...FILE, rows: null }], url: 'https://hub/x' })),
  );
  const { lines } = await typed({ upload: run }, 'upload', '--dry-run');
  expect(run).toHaveBeenCalledWith({ dryRun: true }, expect.anything());
  expect(lines).toEqual(['default/train/001/A.parquet: 2 MB', 'It would be uploaded to https://hub/x']);
});

it('takes down, and lets be again', async () => {
  const takeDown = vi.fn(async (input: object) => ({ ...input, at: 1, clips: 2 }));
  const undoTakeDown = vi.fn(async () => undefined);
  const { lines } = await typed({ takeDown }, 'take-down', 'commons', 'File:Ball.webm', 'its author asked for it');
  expect(takeDown).toHaveBeenCalledWith({ source: 'commons', id: 'File:Ball.webm', reason: 'its author asked for it' });
  expect(lines[0]).toContain('with 2 clips');
  const takeDowns = async () => [{ source: 'commons', id: 'File:Ball.webm' }];
  await typed({ undoTakeDown, takeDowns }, 'take-down', 'commons', 'File:Ball.webm', '--undo');
  expect(undoTakeDown).toHaveBeenCalledWith({ source: 'commons', id: 'File:Ball.webm' });
  const misspelt = typed({ undoTakeDown, takeDowns }, 'take-down', 'commons', 'File:Bal.webm', '--undo');
  await expect(misspelt).rejects.toThrow('«File:Bal.webm» of commons was not taken down.');
  expect(undoTakeDown).toHaveBeenCalledTimes(1);
});
