import { Button, Stack } from '@mantine/core';
import { IconShare } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListedVersion } from '../../../../src-preload/contract/learning-versions.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../learning.module.css';
import { refreshLearning } from '../use-learning.ts';
import { ShareDialog } from './ShareDialog.tsx';

const LOOK_MS = 2_000;

/** Whether others may fetch a version: nobody may until somebody here says so. */
export function ShareVersion({ version }: { version: ListedVersion }) {
  const { t } = useTranslation('learning');
  const [asking, setAsking] = useState(false);
  const unshare = useMutation(api.learning.unshare.mutationOptions({ onSettled: refreshLearning }));
  return (
    <Stack gap="xs" align="flex-start">
      {version.shared === null ? (
        <>
          <p className={classes.meta}>{t('share.not')}</p>
          <Button
            variant="default"
            leftSection={<IconShare size={15} stroke={1.6} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            {t('share.open')}
          </Button>
        </>
      ) : (
        <>
          <Standing id={version.id} />
          <Button variant="default" loading={unshare.isPending} onClick={() => unshare.mutate({ version: version.id })}>
            {t('share.stop')}
          </Button>
        </>
      )}
      <ErrorNote error={unshare.error} />
      {asking && <ShareDialog version={version} onClose={() => setAsking(false)} />}
    </Stack>
  );
}

/** How far it is prepared, or with how many it is shared, as long as somebody looks. */
function Standing({ id }: { id: string }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const { data, error } = useAnswer(
    api.learning.sharing.queryOptions({ input: { version: id }, refetchInterval: LOOK_MS }),
  );
  const status = data?.status;
  if (!status) return <ErrorNote error={error} />;
  const { state, peers, uploadedBytes, prepared } = status;
  const figures = { count: peers, peers: format.number(peers), sent: format.bytes(uploadedBytes) };
  return (
    <p className={classes.meta} role="status">
      {t(`share.is.${state}`, { ...figures, percent: format.percent(prepared) })}
      {status.problem !== null && ` ${worded(status, 'problem')}`}
    </p>
  );
}
