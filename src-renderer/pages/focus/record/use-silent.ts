import { useEffect, useState } from 'react';
import type { FocusState } from '../../../../src-preload/contract/focus.ts';

/** As the node has it: a page that is not heard of for so long may be replaced. */
const SILENT_MS = 10_000;

/** Whether the page that records has not been heard of for long: it was closed. By this page’s own clock, which may not be the node’s. */
export function useSilent(live: FocusState['live'] | undefined): boolean {
  const heard = live ? `${live.recording.id} ${live.heardAt}` : undefined;
  const [silent, setSilent] = useState<string>();
  useEffect(() => {
    if (!heard) return;
    const timer = setTimeout(() => setSilent(heard), SILENT_MS);
    return () => clearTimeout(timer);
  }, [heard]);
  return heard !== undefined && silent === heard;
}
