import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import classes from '../focus.module.css';
import { type OpenReview, OVER_SHEETS } from '../review/ReviewDialog.tsx';
import { tellPictureSize } from './picture-size.ts';

interface PlayDialogProps {
  /** What is played; undefined while nothing is. */
  playing: OpenReview | undefined;
  onClose: () => void;
}

/** The video of a recording, as large as the window lets it be: beside a list nothing in it could be read. */
export function PlayDialog({ playing, onClose }: PlayDialogProps) {
  const isPhone = useMediaQuery('(max-width: 760px)', undefined, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={playing !== undefined}
      zIndex={OVER_SHEETS}
      onClose={onClose}
      fullScreen={isPhone}
      size="min(1280px, 94vw)"
      title={playing?.recording.title}
    >
      {playing && (
        // biome-ignore lint/a11y/useMediaCaption: nobody has written down what is said in it
        <video
          className={classes.played}
          src={playing.src}
          aria-label={playing.recording.title}
          controls
          autoPlay
          onLoadedMetadata={({ currentTarget }) => tellPictureSize(playing.recording.id, currentTarget)}
        />
      )}
    </Modal>
  );
}
