import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Recording } from '../../../src-preload/contract/focus.ts';
import type { NodeClient } from '../terminal/node-client.ts';

const HINT = '«quarry focus list» shows what there is.';
/** So much of an id is no slip of a finger. */
const LEAST_TYPED = 4;

/** The one recording whose id begins like that. @throws BAD_REQUEST where none does, or several do, and for a beginning of fewer than four characters */
export async function foundRecording(node: NodeClient, beginning: string): Promise<Recording> {
  if (beginning.length < LEAST_TYPED) throw tooShort(beginning);
  const isOne = /^[0-9a-f-]{1,36}$/.test(beginning);
  const [one, other] = isOne ? await node.focus.find({ beginning }) : [];
  if (one && !other) return one;
  const message = one ? `Several recordings begin with «${beginning}».` : `There is no recording «${beginning}».`;
  throw new QuarryError({ code: 'BAD_REQUEST', message, hint: HINT, field: 'id' });
}

const tooShort = (beginning: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: `«${beginning}» is too little of an id: type four characters of it at least.`,
    hint: HINT,
    field: 'id',
  });
