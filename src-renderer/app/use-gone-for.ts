import { useEffect, useState } from 'react';
import { useConnection } from '../api/connection.ts';

/** Whether the connection to main has been lost for longer than this. */
export function useGoneFor(ms: number): boolean {
  const lost = useConnection(({ state }) => state === 'lost');
  const [gone, setGone] = useState(false);
  useEffect(() => {
    if (!lost) return setGone(false);
    const timer = setTimeout(() => setGone(true), ms);
    return () => clearTimeout(timer);
  }, [lost, ms]);
  return gone;
}
