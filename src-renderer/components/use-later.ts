import { useEffect, useState } from 'react';

/** Whether the component has been shown for so many milliseconds: what comes sooner needs no word about the wait. */
export function useLater(ms: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return late;
}
