import { Modal, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useRef } from 'react';
import classes from '../focus.module.css';
import { type OpenReview, OVER_SHEETS } from '../review/ReviewDialog.tsx';
import { useVideoWay } from '../review/use-video-way.ts';
import { VideoTrouble } from '../review/VideoTrouble.tsx';
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
      {playing && <Played key={playing.recording.id} {...playing} />}
    </Modal>
  );
}

function Played({ recording: { id, title }, src }: OpenReview) {
  const video = useRef<HTMLVideoElement>(null);
  const way = useVideoWay(video, { id, first: src, plays: true });
  const loaded = () => {
    way.handlers.onLoadedMetadata();
    if (video.current) tellPictureSize(id, video.current);
  };
  return (
    <Stack gap="sm">
      <video
        ref={video}
        className={classes.played}
        src={way.src}
        aria-label={title}
        controls
        {...way.handlers}
        onLoadedMetadata={loaded}
      />
      <VideoTrouble way={way} />
    </Stack>
  );
}
