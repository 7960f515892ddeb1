import { QuarryError } from '../../../src-preload/contract/errors.ts';

/**
 * The one whose id begins so.
 * @param how what lists them
 * @throws BAD_REQUEST where none begins like that, or several do
 */
export function oneOf<One extends { id: string }>(all: readonly One[], beginning: string, how: string): One {
  const [one, other] = all.filter(({ id }) => id.startsWith(beginning));
  if (one && !other) return one;
  const message = `${one ? 'Several begin' : 'Nothing begins'} with «${beginning}».`;
  throw new QuarryError({ code: 'BAD_REQUEST', message, hint: `«${how}» shows what there is.`, field: 'id' });
}
