import { useEffect, useState } from 'react';
import { useConnection } from '../../api/connection.ts';
import { useNode } from '../../state/node.ts';
import { type Standing, standingOf } from '../../state/standing.ts';

/** Between two short answers nothing flickers: mining counts as mining for so long after the last one. */
const LINGER_MS = 8_000;

/** How mining stands now. */
export function useStanding(): Standing {
  const status = useNode((node) => node.status);
  const connected = useConnection(({ state }) => state === 'open');
  const standing = standingOf(status, connected);
  const lingers = useLingering(standing === 'mining', LINGER_MS);
  return standing === 'ready' && lingers ? 'mining' : standing;
}

/** True while `on` is, and for so long after it. */
function useLingering(on: boolean, ms: number): boolean {
  const [lingers, setLingers] = useState(on);
  useEffect(() => {
    if (on) return setLingers(true);
    const timer = setTimeout(() => setLingers(false), ms);
    return () => clearTimeout(timer);
  }, [on, ms]);
  return lingers;
}
