import { Skeleton } from '@mantine/core';
import type { PeersView } from '../../../../src-preload/contract/mesh.ts';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { Bans } from './Bans.tsx';
import { Marks } from './Marks.tsx';

/** Who is kept out, and whose points do not count. */
export function Blocked({ view }: { view: PeersView | undefined }) {
  return (
    <PageBody>
      {!view && <Skeleton h={220} aria-hidden />}
      {view && <Bans bans={view.bans} />}
      {view && <Marks marks={view.marks} more={view.moreMarks} />}
    </PageBody>
  );
}
