import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { evalConfig } from './eval-config.ts';
import { otherSettings, ResultsFolder } from './results-folder.ts';

const FILE = 'evaluation.json';

/** What an evaluation was asked to do: so that it goes on by its folder alone. */
const savedEvaluation = z.strictObject({
  /** Name or path of the model. */
  model: z.string().max(4_096).optional(),
  /** Of those that are known, by their names. */
  preferences: z.array(z.string().max(64)).max(100),
  /** Own ones, as they were written. */
  files: z.array(z.string().max(1_000_000)).max(100),
  config: evalConfig,
});
export type SavedEvaluation = z.infer<typeof savedEvaluation>;

/** @returns undefined where none was begun in this folder @throws BAD_REQUEST for a file of another kind */
export async function savedIn(folder: string): Promise<SavedEvaluation | undefined> {
  return await new ResultsFolder(folder).read(FILE, savedEvaluation);
}

/** Looks whether an evaluation can go on in a folder: steps, plots and further preferences may be others. @throws BAD_REQUEST where it was begun with other settings */
export async function checkSame(folder: string, evaluation: SavedEvaluation): Promise<void> {
  const saved = await savedIn(folder);
  const compared = ({ model, config: { steps, plots, ...config } }: SavedEvaluation) => ({ model, config });
  if (saved && !isDeepStrictEqual(compared(saved), compared(evaluation))) throw otherSettings();
}

/** Begins an evaluation in a folder, or goes on with it. @throws as {@link checkSame} does */
export async function saveIn(folder: string, evaluation: SavedEvaluation): Promise<void> {
  await checkSame(folder, evaluation);
  await new ResultsFolder(folder).write(FILE, evaluation);
}
