import { getDefaultZIndex, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { Recording } from '../../../../src-preload/contract/focus.ts';
import { Review } from './Review.tsx';
import classes from './review.module.css';

/** A recording that is looked through. */
export interface OpenReview {
  recording: Pick<Recording, 'id' | 'title'>;
  /** Where its video is fetched. */
  src: string;
}

interface ReviewDialogProps {
  /** Undefined while it is closed. */
  review: OpenReview | undefined;
  onClose: () => void;
}

/** A sheet that comes when the window gets narrow comes below it. */
export const OVER_SHEETS = getDefaultZIndex('modal') + 1;

/** The room that looking through a video needs: beside a list there is none. */
export function ReviewDialog({ review, onClose }: ReviewDialogProps) {
  const { t } = useTranslation('focus');
  const isPhone = useMediaQuery('(max-width: 760px)', undefined, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={review !== undefined}
      zIndex={OVER_SHEETS}
      onClose={onClose}
      fullScreen={isPhone}
      size="min(1080px, 94vw)"
      yOffset="3dvh"
      classNames={{ content: classes.dialog, body: classes.body }}
      title={review && t('review.title', { title: review.recording.title })}
    >
      {review && <Review key={review.recording.id} {...review} />}
    </Modal>
  );
}
