import type { VideoStrip } from '../../../../../src-preload/contract/focus.ts';
import { boxesAt, type Edits } from '../edit-list.ts';
import { placeOf } from '../place-of.ts';
import classes from './film.module.css';
import { offsetOf } from './film.ts';

interface ThumbnailProps {
  strip: VideoStrip;
  /** Which of its pictures. */
  index: number;
  edits: Edits;
  onBroken: () => void;
}

/** One small picture as it will be exported: what is covered then is black here, too. */
export function Thumbnail({ strip, index, edits, onBroken }: ThumbnailProps) {
  const { path, width, height, times } = strip;
  return (
    <span className={classes.thumbnail} style={{ aspectRatio: `${width} / ${height}` }}>
      <img src={path} alt="" draggable={false} style={offsetOf(strip, index)} onError={onBroken} />
      {boxesAt(edits, times[index] ?? 0).map(({ box, index: of }) => (
        <span key={of} className={classes.covered} style={placeOf(box)} />
      ))}
    </span>
  );
}
