import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { Recording } from '../../src-preload/contract/focus.ts';
import type { NodeClient } from './terminal/node-client.ts';

/** The recording whose id begins like that. @throws BAD_REQUEST where none begins like that, or several do */
export async function foundRecording(node: NodeClient, beginning: string): Promise<Recording> {
  const { recordings } = await node.focus.list({ text: '', limit: 200 });
  const [one, other] = recordings.filter(({ id }) => id.startsWith(beginning));
  if (one && !other) return one;
  const message = one ? `Several recordings begin with «${beginning}».` : `There is no recording «${beginning}».`;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message,
    hint: '«quarry focus list» shows what there is.',
    field: 'id',
  });
}
