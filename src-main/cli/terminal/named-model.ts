import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { readRunningNode } from '../../client/running-node.ts';
import type { Config } from '../../settings/config.ts';

/**
 * Looks whether a command can have the model that it was told: a node that runs keeps the one that it has.
 * @param leaveOut what to do instead: «Leave --model out»
 * @throws BAD_REQUEST where a node runs
 */
export async function checkNoneRuns({ dataDir }: Pick<Config, 'dataDir'>, leaveOut: string): Promise<void> {
  if (!(await readRunningNode(dataDir))) return;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: 'A node runs here, and its own model would be asked.',
    hint: `${leaveOut}, or stop the node first («quarry stop»).`,
    field: 'model',
  });
}
