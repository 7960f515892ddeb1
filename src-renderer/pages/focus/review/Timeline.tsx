import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { barHeights } from '../bar-heights.ts';
import type { Edits } from './edit-list.ts';
import { Film } from './film/Film.tsx';
import filmClasses from './film/film.module.css';
import type { FilmView } from './film/use-film.ts';
import classes from './review.module.css';
import { tenthsText } from './time-text.ts';

export interface Marks {
  inMs: number | undefined;
  outMs: number | undefined;
}

interface TimelineProps {
  atMs: number;
  durationMs: number;
  /** Blocks of the picture that changed, in each bar: at most {@link TIMELINE_BARS}. */
  motion: readonly number[];
  film: FilmView;
  edits: Edits;
  marks: Marks;
  onSeek: (ms: number) => void;
}

export const TIMELINE_BARS = 240;
const HEIGHT = 24;

/** The time of a video: what was to be seen, where chapters begin, what happened, what is cut, what is marked, and where it is shown. */
export function Timeline({ atMs, durationMs, motion, film, edits, marks, onSeek }: TimelineProps) {
  const { t } = useTranslation('focus');
  const line = useRef<HTMLDivElement>(null);
  const bars = barHeights(motion);
  const at = (ms: number) => `${(100 * ms) / Math.max(1, durationMs)}%`;
  const seek = (event: PointerEvent) => {
    const { left, width } = line.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    onSeek(((event.clientX - left) / width) * durationMs);
  };
  const marked = { from: marks.inMs ?? 0, to: marks.outMs ?? durationMs };
  const isMarked = marks.inMs !== undefined || marks.outMs !== undefined;
  const jump = (event: KeyboardEvent) => {
    if (event.key === 'Home') onSeek(0);
    if (event.key === 'End') onSeek(durationMs);
  };
  return (
    <div
      ref={line}
      className={classes.line}
      role="slider"
      tabIndex={0}
      data-autofocus
      aria-label={t('review.timeline')}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs / 1_000)}
      aria-valuenow={Math.round(atMs / 1_000)}
      aria-valuetext={tenthsText(atMs)}
      onKeyDown={jump}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seek(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && seek(event)}
    >
      <Film
        strip={film.isBroken ? undefined : film.strip}
        durationMs={durationMs}
        edits={edits}
        onBroken={film.onBroken}
      />
      <div className={filmClasses.marks} aria-hidden>
        {film.chapters?.map((begin) => (
          <span key={begin} style={{ left: at(begin) }} />
        ))}
      </div>
      <svg viewBox={`0 0 ${Math.max(1, bars.length)} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {bars.map((share, place) => {
          const height = Math.max(1, share * HEIGHT);
          return <rect key={place} x={place} width={0.7} y={HEIGHT - height} height={height} />;
        })}
      </svg>
      {edits.cuts.map(({ fromMs, toMs }) => (
        <span key={fromMs} className={classes.cut} style={{ left: at(fromMs), width: at(toMs - fromMs) }} />
      ))}
      {isMarked && (
        <span className={classes.marked} style={{ left: at(marked.from), width: at(marked.to - marked.from) }} />
      )}
      <span className={classes.head} style={{ left: at(atMs) }} />
    </div>
  );
}
