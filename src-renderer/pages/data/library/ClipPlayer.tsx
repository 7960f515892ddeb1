import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Clip } from '../../../../src-preload/contract/data.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import classes from '../data.module.css';
import { useClipWay } from './use-clip-way.ts';

/** Plays a clip beside the list. */
export function ClipPlayer({ clip: { clip, title, width, height } }: { clip: Clip }) {
  const { t } = useTranslation(['data', 'common']);
  const { data, error, tries, isBroken, onError, retry } = useClipWay(clip);
  if (error) return <ErrorNote error={error} onRetry={retry} />;
  if (!data) return <Skeleton h={160} />;
  if (isBroken) {
    return (
      <Note
        state="error"
        icon={IconAlertTriangle}
        title={t('data:player.broken')}
        role="alert"
        actions={
          <Button size="xs" variant="default" onClick={retry}>
            {t('common:error.retry')}
          </Button>
        }
      >
        {t('data:player.brokenMeans')}
      </Note>
    );
  }
  return (
    // biome-ignore lint/a11y/useMediaCaption: what is said stands below as a text; when each word is said, nobody knows
    <video
      key={`${data.video} ${tries}`}
      className={classes.video}
      style={{ aspectRatio: `${width} / ${height}` }}
      src={data.video}
      poster={data.poster}
      aria-label={t('data:player.video', { title })}
      preload="none"
      controls
      onError={onError}
    />
  );
}
