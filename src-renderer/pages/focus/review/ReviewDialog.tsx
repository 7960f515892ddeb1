import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { Recording } from '../../../../src-preload/contract/focus.ts';
import { Review } from './Review.tsx';

interface ReviewDialogProps {
  recording: Pick<Recording, 'id' | 'title'>;
  /** Where its video is fetched; undefined while it is closed. */
  src: string | undefined;
  onClose: () => void;
}

/** The room that looking through a video needs: beside a list there is none. */
export function ReviewDialog({ recording, src, onClose }: ReviewDialogProps) {
  const { t } = useTranslation('focus');
  const isPhone = useMediaQuery('(max-width: 760px)', undefined, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={src !== undefined}
      onClose={onClose}
      fullScreen={isPhone}
      size="min(1080px, 94vw)"
      title={t('review.title', { title: recording.title })}
    >
      {src !== undefined && <Review recording={recording} src={src} />}
    </Modal>
  );
}
