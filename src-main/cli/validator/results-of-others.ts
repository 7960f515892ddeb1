import { styleText } from 'node:util';
import type { NodeClient } from '../terminal/node-client.ts';
import { counted, type Output } from '../terminal/output.ts';

/** Says where results of others do not count. @param since Unix milliseconds */
export async function tellOfOthers(node: NodeClient, output: Output, since: number): Promise<void> {
  const { results, validators } = await node.validator.ofOthers({ since });
  if (results === 0) return;
  const all = `${counted(results, 'result')} of ${counted(validators, 'other validator')}`;
  output.note(styleText('dim', `${all} ${results === 1 ? 'does' : 'do'} not count: validator.trust`));
}
