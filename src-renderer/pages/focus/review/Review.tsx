import { ActionIcon, Button, Group, Switch, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconPlayerPause,
  IconPlayerPlay,
  IconScissors,
  IconSquareFilled,
  type TablerIcon,
} from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Recording } from '../../../../src-preload/contract/focus.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { Boxes } from './Boxes.tsx';
import { Export } from './Export.tsx';
import { type Edits, keptSpans, skipTo } from './edit-list.ts';
import { Chapters } from './film/Chapters.tsx';
import { FilmTrouble } from './film/FilmTrouble.tsx';
import { chapterFrom } from './film/film.ts';
import { useFilm } from './film/use-film.ts';
import classes from './review.module.css';
import { reviewKeys } from './review-keys.ts';
import { useEdits } from './review-store.ts';
import { Stage } from './Stage.tsx';
import { type Marks, TIMELINE_BARS, Timeline } from './Timeline.tsx';
import { tenthsText } from './time-text.ts';
import { usePlayback } from './use-playback.ts';

const NO_MARKS: Marks = { inMs: undefined, outMs: undefined };
/** Where an area is covered that is not drawn: it is moved with the arrow keys. */
const MIDDLE = { x: 0.4, y: 0.4, width: 0.2, height: 0.2 };

interface ReviewProps {
  recording: Pick<Recording, 'id' | 'title'>;
  /** Where its video is fetched at first. */
  src: string;
}

/** A video, looked through: pieces are cut, areas covered, sound taken away, all undone again, and what stays is exported. */
export function Review({ recording: { id, title }, src }: ReviewProps) {
  const { t } = useTranslation('focus');
  const { edits, change, undo, redo, canUndo, canRedo } = useEdits(id);
  const playback = usePlayback(id, src, edits);
  const { atMs, durationMs, isPlaying, toggle, seek } = playback;
  const [marks, setMarks] = useState(NO_MARKS);
  const film = useFilm(id);
  const { data: motion } = useAnswer(api.focus.motion.queryOptions({ input: { id, bars: TIMELINE_BARS } }));
  const isMarked = marks.inMs !== undefined || marks.outMs !== undefined;
  const span = { fromMs: Math.round(marks.inMs ?? 0), toMs: Math.round(marks.outMs ?? durationMs) };
  const canCut = isMarked && span.toMs > span.fromMs;
  const cut = () => {
    if (!canCut) return;
    change({ type: 'cut', span });
    setMarks(NO_MARKS);
  };
  const keep = () => {
    change({ type: 'keep', span, durationMs });
    setMarks(NO_MARKS);
  };
  const root = useRef<HTMLDivElement>(null);
  const onKeyDown = reviewKeys(() => root.current?.closest('[role="dialog"]'), {
    toggle,
    step: (ms) => seek(atMs + ms),
    chapter: (way) => seek(chapterFrom(film.chapters ?? [], atMs, way) ?? atMs),
    markIn: () => setMarks((now) => ({ ...now, inMs: atMs })),
    markOut: () => setMarks((now) => ({ ...now, outMs: atMs })),
    cut,
    undo,
    redo,
  });
  useWindowEvent('keydown', onKeyDown);
  return (
    <div ref={root} className={classes.review}>
      <Stage title={title} edits={edits} playback={playback} when={span} onChange={change} />
      <Timeline
        atMs={atMs}
        durationMs={durationMs}
        motion={motion ?? []}
        film={film}
        edits={edits}
        marks={marks}
        onSeek={seek}
      />
      <FilmTrouble film={film} />
      <Chapters film={film} atMs={atMs} edits={edits} onSeek={seek} />
      <Group gap={6}>
        <Button
          size="xs"
          variant="default"
          leftSection={isPlaying ? <IconPlayerPause size={15} aria-hidden /> : <IconPlayerPlay size={15} aria-hidden />}
          onClick={toggle}
        >
          {t(isPlaying ? 'review.pause' : 'video.play')}
        </Button>
        <Text className={classes.time}>
          {tenthsText(atMs)} / {tenthsText(durationMs)}
        </Text>
        <Button size="xs" variant="default" onClick={() => setMarks({ ...marks, inMs: atMs })}>
          {t('review.markIn')}
        </Button>
        <Button size="xs" variant="default" onClick={() => setMarks({ ...marks, outMs: atMs })}>
          {t('review.markOut')}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={!canCut}
          leftSection={<IconScissors size={15} aria-hidden />}
          onClick={cut}
        >
          {t('review.cut')}
        </Button>
        <Button size="xs" variant="default" disabled={!canCut} onClick={keep}>
          {t('review.keep')}
        </Button>
        {skipTo(edits, atMs) !== undefined && (
          <Button size="xs" variant="default" onClick={() => change({ type: 'restore', atMs })}>
            {t('review.restore')}
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          leftSection={<IconSquareFilled size={15} aria-hidden />}
          onClick={() => change({ type: 'cover', box: { ...MIDDLE, ...span } })}
        >
          {t('review.cover')}
        </Button>
        <Switch
          size="sm"
          label={t('review.mute')}
          checked={edits.mute}
          onChange={(event) => change({ type: 'mute', mute: event.currentTarget.checked })}
        />
        <StepButton icon={IconArrowBackUp} label={t('review.undo')} isOpen={canUndo} onClick={undo} />
        <StepButton icon={IconArrowForwardUp} label={t('review.redo')} isOpen={canRedo} onClick={redo} />
        <Text size="sm" c="var(--q-ink-2)">
          {t('review.kept', { kept: tenthsText(keptMs(edits, durationMs)), all: tenthsText(durationMs) })}
        </Text>
      </Group>
      <div className={classes.rest}>
        <Boxes edits={edits} atMs={atMs} onChange={change} onSeek={seek} />
        <Text size="sm" c="var(--q-ink-2)">
          {t('review.keys')}
        </Text>
      </div>
      <Export id={id} title={title} edits={edits} durationMs={durationMs} />
    </div>
  );
}

interface StepButtonProps {
  icon: TablerIcon;
  label: string;
  /** Whether there is such a step. */
  isOpen: boolean;
  onClick: () => void;
}

/** A step back, or forth again. */
function StepButton({ icon: Icon, label, isOpen, onClick }: StepButtonProps) {
  return (
    <ActionIcon variant="default" size={30} disabled={!isOpen} aria-label={label} title={label} onClick={onClick}>
      <Icon size={15} aria-hidden />
    </ActionIcon>
  );
}

function keptMs(edits: Edits, durationMs: number): number {
  return keptSpans(edits, durationMs).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
}
