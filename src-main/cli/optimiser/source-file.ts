import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { MOST_SOURCE_BYTES } from '../../../src-preload/contract/optimiser-numbers.ts';
import { givenFile } from '../terminal/given-file.ts';

/** Somebody's own code. @throws BAD_REQUEST for a file that cannot be read, is empty or too large */
export async function readSource(path: string): Promise<string> {
  const tooLarge = `«${path}» is larger than the ${MOST_SOURCE_BYTES} bytes that a kernel may have.`;
  const text = (await givenFile(path, MOST_SOURCE_BYTES, tooLarge)).toString('utf8');
  if (text.trim() !== '') return text;
  throw new QuarryError({ code: 'BAD_REQUEST', message: `«${path}» is empty.`, field: 'file' });
}
