import { useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import { addLines, type LogLine } from './log-lines.ts';

/** The end of the node's log as it grows. */
export function useLog() {
  const [lines, setLines] = useState<LogLine[]>([]);
  /** Each stream begins with the end of the log: what was there before a lost connection comes again. */
  const begins = useRef(true);
  const error = useLive(
    (signal) => {
      begins.current = true;
      return client.node.watchLog(undefined, { signal });
    },
    (more) => {
      const anew = begins.current;
      begins.current = false;
      setLines((before) => addLines(anew ? [] : before, more));
    },
  );
  return { lines, error };
}
