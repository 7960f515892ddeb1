import type { ErrorView } from '../../src-preload/contract/error-schema.ts';
import type { QuarryError } from '../../src-preload/contract/errors.ts';

/** An error as part of an answer. */
export function errorView({ code, message, hint, said }: QuarryError): ErrorView {
  return { code, message, ...(hint !== undefined && { hint }), ...(said && { said }) };
}
