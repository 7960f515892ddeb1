import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ignoring } from '../../../api/ignoring.ts';
import classes from './record.module.css';

interface PreviewProps {
  stream: MediaStream;
  /** Nothing of it is recorded: it lies under a veil. */
  isHeld: boolean;
}

/** What is recorded right now, small and without sound. */
export function Preview({ stream, isHeld }: PreviewProps) {
  const { t } = useTranslation('focus');
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    // A stream of its own: sound is neither decoded nor played.
    element.srcObject = new MediaStream(stream.getVideoTracks());
    void element.play().catch(ignoring('a stream that has ended shows nothing'));
    return () => {
      element.srcObject = null;
    };
  }, [stream]);
  return (
    <div className={classes.preview}>
      <video ref={video} muted playsInline aria-label={t('now.preview')} aria-hidden={isHeld} />
      {isHeld && <p className={classes.veil}>{t('now.notRecorded')}</p>}
    </div>
  );
}
