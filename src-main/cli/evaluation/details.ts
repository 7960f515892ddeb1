import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { EvaluationDetails } from '../../../src-preload/contract/evaluation.ts';
import type { NodeClient } from '../terminal/node-client.ts';

/** An evaluation as it is now. @throws BAD_REQUEST where there is none */
export async function detailsOf(node: NodeClient, id: string): Promise<EvaluationDetails> {
  for await (const details of await node.evaluation.watch({ id })) return details;
  throw new QuarryError({ code: 'INTERNAL', message: 'The node told nothing of the evaluation.' });
}
