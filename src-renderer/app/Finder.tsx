import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { ignoring } from '../api/ignoring.ts';
import { openFinder, useFinder } from './finder.ts';

const load = () => import('./FinderDialog.tsx');
const FinderDialog = lazy(async () => ({ default: (await load()).FinderDialog }));

/** Fetches the palette before it is opened. Never throws. */
export async function fetchFinder(): Promise<void> {
  await load().catch(ignoring('it is tried again when it is opened'));
}

/** The palette over pages, models, settings and actions; fetched when it is first opened. */
export function Finder() {
  const opened = useFinder((finder) => finder.opened);
  const [wanted, setWanted] = useState(false);
  // Also while somebody types in a field.
  useHotkeys([['mod+K', openFinder]], []);
  if (opened && !wanted) setWanted(true);
  return (
    wanted && (
      <Suspense fallback={null}>
        <FinderDialog />
      </Suspense>
    )
  );
}
