import { Button, Stack } from '@mantine/core';
import { IconTag, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { Recording } from '../../../../src-preload/contract/focus.ts';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { pathOfPlace } from '../../../components/page/place.ts';
import { useFormat } from '../../../i18n/format.ts';
import { wantOffer } from '../../../state/wanted.ts';
import { ACTIVITY_BARS, ActivityStrip } from '../ActivityStrip.tsx';
import type { OpenReview } from '../review/ReviewDialog.tsx';
import { ModelScore } from './ModelScore.tsx';
import { Player } from './Player.tsx';
import { usePictureSize } from './picture-size.ts';
import { RemoveDialog } from './RemoveDialog.tsx';
import { RulesScore } from './RulesScore.tsx';
import { SentList } from './SentList.tsx';
import { STATE_LOOKS } from './state-looks.ts';
import { RecordingWords } from './Words.tsx';

interface RecordingInspectorProps {
  recording: Recording;
  /** When its video is ready to be played, or to be looked through. */
  onPlay: (playing: OpenReview) => void;
  onReview: (review: OpenReview) => void;
}

/** Everything about a recording: what of, what happened in it, what the rules say, and what a score adds to that. */
export function RecordingInspector({ recording, onPlay, onReview }: RecordingInspectorProps) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const [removing, setRemoving] = useState(false);
  const [, navigate] = useLocation();
  const { id, title, state, surface, sound, startedAt, activeMs, bytes, ended, task } = recording;
  const picture = usePictureSize(recording);
  const sounds = [sound.microphone && t('sound.microphone'), sound.system && t('sound.system')].filter(
    (one) => one !== false,
  );
  return (
    <Inspector title={title} description={format.time(startedAt)}>
      {state === 'interrupted' && (
        <Block>
          <Interrupted />
        </Block>
      )}
      <Block>
        <RecordingWords recording={recording} />
      </Block>
      {state !== 'recording' && (
        <Block>
          <Player id={id} title={title} onPlay={onPlay} onReview={onReview} />
        </Block>
      )}
      <Block title={t('activity.title')}>
        <Activity id={id} activeMs={activeMs} />
      </Block>
      {state !== 'recording' && (
        <Block title={t('rules.title')}>
          <RulesScore id={id} />
        </Block>
      )}
      {state !== 'recording' && state !== 'interrupted' && <Worth id={id} />}
      <Block>
        <Facts
          facts={[
            [t('time'), lengthText(activeMs)],
            [t('tasks.one'), task && t(`tasks.from.${task.kind}`)],
            [
              t('tasks.boost'),
              task && task.multiplier !== 1 && t('tasks.times', { formatted: format.number(task.multiplier, 2) }),
            ],
            [t('sizeAlone'), format.bytes(bytes)],
            [t('surface.title'), t(`surface.${surface}`)],
            [t('picture'), `${picture.width} × ${picture.height}`],
            [t('sound.title'), sounds.length > 0 ? format.list(sounds) : t('sound.none')],
            [t('ended.title'), ended !== null && ended !== 'finished' && t(`ended.${ended}`)],
          ]}
        />
      </Block>
      <Block title={t('sent.title')}>
        <SentList recording={id} />
      </Block>
      <Block>
        <Stack gap="xs">
          {state === 'ready' && (
            <Button
              variant="default"
              leftSection={<IconTag size={15} stroke={1.6} aria-hidden />}
              onClick={() => {
                wantOffer(id);
                navigate(pathOfPlace('focus', 'market'));
              }}
            >
              {t('offer')}
            </Button>
          )}
          <Button
            variant="default"
            c="var(--q-error)"
            disabled={state === 'recording'}
            leftSection={<IconTrash size={15} stroke={1.6} aria-hidden />}
            onClick={() => setRemoving(true)}
          >
            {t('remove.action')}
          </Button>
        </Stack>
      </Block>
      <RemoveDialog recording={removing ? recording : undefined} onClose={() => setRemoving(false)} />
    </Inspector>
  );
}

/** What that means, and where it is decided what becomes of it. */
function Interrupted() {
  const { t } = useTranslation('focus');
  const { state, icon } = STATE_LOOKS.interrupted;
  return (
    <Note
      state={state}
      icon={icon}
      title={t('interrupted.title')}
      actions={
        <Button component="a" href="#/focus" size="xs" variant="default">
          {t('interrupted.decide')}
        </Button>
      }
    >
      {t('interrupted.one')}
    </Note>
  );
}

function Activity({ id, activeMs }: { id: string; activeMs: number }) {
  const { t } = useTranslation('focus');
  const { data, error } = useAnswer(api.focus.motion.queryOptions({ input: { id, bars: ACTIVITY_BARS } }));
  if (error) return <ErrorNote error={error} />;
  return <ActivityStrip motion={data ?? []} label={t('activity.label', { length: lengthText(activeMs) })} />;
}

/** Looked at again every second while it is being scored. */
function Worth({ id }: { id: string }) {
  const { data, error } = useAnswer(
    api.focus.rating.queryOptions({
      input: { id },
      refetchInterval: ({ state }) => (state.data?.verdict.state === 'scoring' ? 1_000 : false),
    }),
  );
  if (error) return <ErrorNote error={error} />;
  return data ? <ModelScore rating={data} /> : null;
}
