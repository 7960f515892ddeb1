import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import type { VideoWay } from './use-video-way.ts';

/** That a video cannot be read, and what is done about it. Nothing while it can. */
export function VideoTrouble({ way: { trouble, retry } }: { way: VideoWay }) {
  const { t } = useTranslation('focus');
  const { t: common } = useTranslation();
  if (!trouble) return null;
  if (trouble.isMending) return <Note state="wait" role="status" title={t('video.triedAgain')} />;
  if (trouble.error) return <ErrorNote error={trouble.error} onRetry={retry} />;
  const again = (
    <Button size="xs" variant="default" onClick={retry}>
      {common('error.retry')}
    </Button>
  );
  return <Note state="error" role="alert" title={t('video.unreadable')} actions={again} />;
}
