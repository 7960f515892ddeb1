import { useState } from 'react';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Sample } from '../../../src-preload/contract/node.ts';
import { client } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import { withNew } from './samples.ts';

/** The last fifteen minutes, a sample a second; undefined until the first came. */
export function useSamples(): { samples: Sample[] | undefined; error: QuarryError | undefined } {
  const [samples, setSamples] = useState<Sample[]>();
  const error = useLive(
    (signal) => client.node.watchSamples(undefined, { signal }),
    (fresh) => setSamples((kept = []) => withNew(kept, fresh)),
  );
  return { samples, error };
}
