import { type CSSProperties, type KeyboardEvent, type PointerEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Box, boxesAt, type Change, type Edits, SMALLEST_SIDE, skipTo } from './edit-list.ts';
import { placeOf } from './place-of.ts';
import classes from './review.module.css';
import { tenthsText } from './time-text.ts';
import type { Playback } from './use-playback.ts';
import { VideoTrouble } from './VideoTrouble.tsx';

interface StageProps {
  title: string;
  edits: Edits;
  playback: Playback;
  /** From when to when an area is covered that is drawn now, milliseconds. */
  when: { fromMs: number; toMs: number };
  onChange: (change: Change) => void;
}

type Area = Pick<Box, 'x' | 'y' | 'width' | 'height'>;

/** Of a box, by one press of a key, in fractions of the picture. */
const STEP = 0.01;
/** Width by height of a picture of which nothing is known yet. It may change amid a video, with the window that was recorded. */
const USUAL_SHAPE = 16 / 9;

/** The picture as it will be exported: covered areas are black. Another one is drawn with the mouse. */
export function Stage({ title, edits, playback, when, onChange }: StageProps) {
  const { t } = useTranslation('focus');
  const [drawn, setDrawn] = useState<{ from: { x: number; y: number }; area: Area }>();
  const [shape, setShape] = useState(USUAL_SHAPE);
  const { atMs, video, way, handlers } = playback;
  const begin = (event: PointerEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = pointOf(event);
    setDrawn({ from, area: { ...from, width: 0, height: 0 } });
  };
  const draw = (event: PointerEvent<HTMLDivElement>) =>
    drawn && setDrawn({ ...drawn, area: between(drawn.from, pointOf(event)) });
  const end = () => {
    setDrawn(undefined);
    if (!drawn) return;
    // A click is no area: it plays, as everywhere.
    if (drawn.area.width < SMALLEST_SIDE || drawn.area.height < SMALLEST_SIDE) playback.toggle();
    else onChange({ type: 'cover', box: { ...drawn.area, ...when } });
  };
  return (
    <div className={classes.room}>
      <div className={classes.stage} style={{ '--shape': shape } as CSSProperties}>
        <video
          ref={video}
          src={way.src}
          aria-label={title}
          playsInline
          {...handlers}
          onResize={({ currentTarget }) => setShape((before) => shapeOf(currentTarget) ?? before)}
        />
        <div
          className={classes.picture}
          onPointerDown={begin}
          onPointerMove={draw}
          onPointerUp={end}
          onPointerCancel={() => setDrawn(undefined)}
        >
          {boxesAt(edits, atMs).map(({ box, index }) => (
            <button
              key={index}
              type="button"
              className={classes.box}
              style={placeOf(box)}
              aria-label={t('review.area', {
                number: index + 1,
                from: tenthsText(box.fromMs),
                to: tenthsText(box.toMs),
              })}
              title={t('review.areaKeys')}
              onKeyDown={(event) => {
                const change = changeByKey(event, index, box);
                if (!change) return;
                event.preventDefault();
                event.stopPropagation();
                onChange(change);
              }}
            />
          ))}
          {drawn && <span className={classes.drawn} style={placeOf(drawn.area)} />}
          {skipTo(edits, atMs) !== undefined && <span className={classes.isCut}>{t('review.isCut')}</span>}
        </div>
      </div>
      <div className={classes.trouble}>
        <VideoTrouble way={way} />
      </div>
    </div>
  );
}

/** Undefined while it is loaded. */
function shapeOf({ videoWidth, videoHeight }: HTMLVideoElement): number | undefined {
  return videoHeight > 0 ? videoWidth / videoHeight : undefined;
}

function changeByKey({ key, shiftKey }: KeyboardEvent, index: number, box: Box): Change | undefined {
  if (key === 'Delete' || key === 'Backspace') return { type: 'uncover', index };
  const [dx, dy] =
    { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[key] ?? [];
  if (dx === undefined || dy === undefined) return undefined;
  const moved = { ...box, x: box.x + dx, y: box.y + dy };
  return { type: 'change', index, box: shiftKey ? { ...box, width: box.width + dx, height: box.height + dy } : moved };
}

function pointOf({ currentTarget, clientX, clientY }: PointerEvent<HTMLDivElement>): { x: number; y: number } {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  const within = (share: number) => Math.min(1, Math.max(0, share));
  return { x: within((clientX - left) / width), y: within((clientY - top) / height) };
}

function between(one: { x: number; y: number }, other: { x: number; y: number }): Area {
  return {
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x),
    height: Math.abs(one.y - other.y),
  };
}
