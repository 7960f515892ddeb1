import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { DamagedPiece, jsonPiece, RunFiles, sweepRuns } from '../../../../src-main/learning/runs/run-files.ts';

const [GOING, ENDED, CUT] = ['0123456789abcdef', 'fedcba9876543210', '0123456789ab'];
let folder: string;
let files: RunFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-run-files-'));
  files = new RunFiles(join(folder, GOING));
  return () => rm(folder, { recursive: true });
});

async function saved(name: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, 'adapter.gguf'), 'x');
}

it('goes on from the last step that was saved whole, and clears away what a kill has cut off', async () => {
  for (const name of ['step-4', 'step-8', `step-12.${CUT}.tmp`]) await saved(join(GOING, name));
  await writeFile(join(folder, GOING, `samples.json.${CUT}.tmp`), '{');
  expect(await files.lastStep()).toBe(8);
  await files.open();
  expect((await readdir(join(folder, GOING))).sort()).toEqual(['step-4', 'step-8']);
  await files.removeStep(4);
  expect(await readdir(join(folder, GOING))).toEqual(['step-8']);
});

it('makes a piece of work once', async () => {
  const piece = jsonPiece('made', z.number());
  let made = 0;
  for (const _ of [1, 2]) expect(await files.once(piece, async () => ++made)).toBe(1);
  expect(await new RunFiles(join(folder, GOING)).once(piece, async () => 9)).toBe(1);
});

it.each([
  ['no JSON', '{"at":'],
  ['of another shape', '{"at":"noon"}'],
])('takes nothing for its work that is %s', async (_, text) => {
  const piece = jsonPiece('made', z.object({ at: z.number() }));
  await files.write(piece, { at: 1 });
  await writeFile(join(folder, GOING, 'made.json'), text);
  await expect(files.read(piece)).rejects.toThrow(DamagedPiece);
  await expect(files.once(piece, async () => ({ at: 2 }))).rejects.toMatchObject({
    code: 'INTERNAL',
    message: 'What this run had kept of its work is damaged («made.json»).',
  });
});

it('says what keeps a piece from being read: that is no damage', async () => {
  await mkdir(join(folder, GOING, 'made.json'), { recursive: true });
  await expect(files.read(jsonPiece('made', z.number()))).rejects.toMatchObject({ code: 'EISDIR' });
});

it('is gone as a whole, twice as well as once', async () => {
  await saved(join(GOING, 'step-4'));
  await files.remove();
  await files.remove();
  expect([await readdir(folder), await files.lastStep()]).toEqual([[], 0]);
});

it('sweeps runs that have ended, those half removed, and nothing else', async () => {
  for (const name of [GOING, ENDED, `${GOING}.${CUT}.tmp`, 'log']) await saved(name);
  await sweepRuns(folder, new Set([GOING]));
  expect((await readdir(folder)).sort()).toEqual([GOING, 'log']);
  await sweepRuns(join(folder, 'none'), new Set());
});
