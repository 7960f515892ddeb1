import type { DataState } from '../../../src-preload/contract/data.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { NodeClient } from '../terminal/node-client.ts';

/** How things stand now. */
export async function stateOf(node: NodeClient): Promise<DataState> {
  for await (const now of await node.data.state()) return now;
  throw new QuarryError({ code: 'INTERNAL', message: 'The node told nothing of its clips.' });
}
