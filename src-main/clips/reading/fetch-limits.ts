import { MOST_FETCHED_BYTES, MOST_FETCHED_SECONDS } from '../../../src-preload/contract/data-limits.ts';
import type { SourceKind } from '../../../src-preload/contract/data-names.ts';
import type { FetchOptions } from '../sources/source.ts';

/**
 * What is fetched of a video, by whoever makes clips of it and by whoever looks at them: the same bytes, since how a stretch is cut hangs on what of the file is there. Of a
 * long video a source gives a share of its bytes, and where its beginning has more of them than the rest that ends sooner than its seconds say.
 * @param mostBytes that this node fetches at the most. More than {@link MOST_FETCHED_BYTES} it does only of own folders, which nobody else looks at
 */
export function fetchLimits(
  source: SourceKind,
  mostBytes: number = MOST_FETCHED_BYTES,
): Pick<FetchOptions, 'mostSeconds' | 'mostBytes'> {
  const most = source === 'folder' ? mostBytes : Math.min(mostBytes, MOST_FETCHED_BYTES);
  return { mostSeconds: MOST_FETCHED_SECONDS, mostBytes: most };
}
