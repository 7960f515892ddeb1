import { InvalidArgumentError } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { OptimiserDetails } from '../../../src-preload/contract/optimiser.ts';
import type { NodeClient } from '../terminal/node-client.ts';

/** The id of a search, as typed. @throws InvalidArgumentError for what is none */
export function runId(text: string): string {
  if (/^[0-9a-f]{16}$/.test(text)) return text;
  throw new InvalidArgumentError('16 hexadecimal digits are wanted: «quarry optimise list» has the ids.');
}

/** A search as it is now. @throws BAD_REQUEST where there is none */
export async function detailsOf(node: NodeClient, id: string): Promise<OptimiserDetails> {
  for await (const details of await node.optimiser.watch({ id })) return details;
  throw new QuarryError({ code: 'INTERNAL', message: 'The node told nothing of the search.' });
}
