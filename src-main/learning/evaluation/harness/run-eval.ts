import { join } from 'node:path';
import type { Preference } from '../prompts/preference.ts';
import type { EvalConfig } from './eval-config.ts';
import type { EvalPorts } from './eval-ports.ts';
import { PreferenceRun } from './preference-run.ts';
import type { SummaryRecord } from './records.ts';
import { ResultsFolder } from './results-folder.ts';

/**
 * The original's evaluation (B6): for each preference, an adapter learns from batches of feedback, and is measured before, after each step and at the end.
 * A run in the same folder goes on after the last step that is on the disk, however it ended.
 * @param folder gets a folder for each preference
 * @throws CANCELLED or whatever the ports throw; BAD_REQUEST where the folder has results of other settings
 */
export async function runEval(
  preferences: readonly Preference[],
  config: EvalConfig,
  folder: string,
  ports: EvalPorts,
  signal?: AbortSignal,
): Promise<SummaryRecord[]> {
  const summaries: SummaryRecord[] = [];
  for (const preference of preferences) {
    const results = new ResultsFolder(join(folder, preference.name));
    summaries.push(await new PreferenceRun(preference, config, results, ports, signal).run());
  }
  await new ResultsFolder(folder).write('summary.json', summaries);
  await new ResultsFolder(folder).writeYaml('summary.yaml', summaries);
  return summaries;
}
