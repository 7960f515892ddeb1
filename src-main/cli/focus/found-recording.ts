import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Recording } from '../../../src-preload/contract/focus.ts';
import type { NodeClient } from '../terminal/node-client.ts';

/** The one recording whose id begins like that. @throws BAD_REQUEST where none does, or several do */
export async function foundRecording(node: NodeClient, beginning: string): Promise<Recording> {
  const isOne = /^[0-9a-f-]{1,36}$/.test(beginning);
  const [one, other] = isOne ? await node.focus.find({ beginning }) : [];
  if (one && !other) return one;
  const message = one ? `Several recordings begin with «${beginning}».` : `There is no recording «${beginning}».`;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message,
    hint: '«quarry focus list» shows what there is.',
    field: 'id',
  });
}
