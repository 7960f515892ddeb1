import { Title, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../api/client.ts';
import { useLiveValue } from '../../api/live.ts';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { PageBody } from '../../components/page/PageBody.tsx';
import { usePlace } from '../../components/page/place.ts';
import { Audits } from './audits/Audits.tsx';
import { Blocked } from './blocked/Blocked.tsx';
import { MyNodes } from './nodes/MyNodes.tsx';
import { Peers } from './peers/Peers.tsx';

/** Who this node is connected with, how others find it, and who is kept out. */
export function Network() {
  const { t } = useTranslation('network');
  const place = usePlace('network');
  const [attempt, setAttempt] = useState(0);
  const { value: view, error } = useLiveValue(
    (signal) => client.mesh.watchPeers(undefined, { signal }),
    String(attempt),
  );
  return (
    <>
      <VisuallyHidden>
        <Title order={2}>{t(`place.${place}`)}</Title>
      </VisuallyHidden>
      {error && (place === 'peers' || place === 'blocked') && (
        <PageBody>
          <ErrorNote error={error} onRetry={() => setAttempt(attempt + 1)} />
        </PageBody>
      )}
      {place === 'peers' && <Peers view={view} />}
      {place === 'audits' && <Audits />}
      {place === 'nodes' && <MyNodes />}
      {place === 'blocked' && <Blocked view={view} />}
    </>
  );
}
