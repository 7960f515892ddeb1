import { useElementSize } from '@mantine/hooks';
import type { VideoStrip } from '../../../../../src-preload/contract/focus.ts';
import type { Edits } from '../edit-list.ts';
import classes from './film.module.css';
import { picturesAcross } from './film.ts';
import { Thumbnail } from './Thumbnail.tsx';

/** Of a line of pictures, pixels. */
const HEIGHT = 44;

interface FilmProps {
  /** Undefined while it is being made: its room is kept. */
  strip: VideoStrip | undefined;
  durationMs: number;
  edits: Edits;
  onBroken: () => void;
}

/** What was to be seen, over the whole time of a video, in as many pictures as have room. */
export function Film({ strip, durationMs, edits, onBroken }: FilmProps) {
  const { ref, width } = useElementSize();
  const across = strip ? picturesAcross(strip, { width, height: HEIGHT }, durationMs) : [];
  return (
    <div ref={ref} className={classes.film} style={{ height: HEIGHT }} aria-hidden>
      {strip &&
        across.map((index, place) => (
          <span key={place} className={classes.cell}>
            <Thumbnail strip={strip} index={index} edits={edits} onBroken={onBroken} />
          </span>
        ))}
    </div>
  );
}
