import { Button, Stack, Text } from '@mantine/core';
import { IconPlayerPlay, IconScissors } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { useFormat } from '../../../i18n/format.ts';
import type { OpenReview } from '../review/ReviewDialog.tsx';
import { wayTo } from '../review/use-video-way.ts';

interface PlayerProps {
  id: string;
  title: string;
  /** With its video: to be played, or looked through. */
  onPlay: (playing: OpenReview) => void;
  onReview: (review: OpenReview) => void;
}

/** The video of a recording, made ready when somebody wants to see it, or to look through it and cut it. */
export function Player({ id, title, onPlay, onReview }: PlayerProps) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const [done, setDone] = useState(0);
  const { error, isPending, mutate, variables } = useMutation({
    mutationFn: (_for: 'play' | 'review') => wayTo(id, setDone),
    onSuccess: (src, wanted) => (wanted === 'play' ? onPlay : onReview)({ recording: { id, title }, src }),
  });
  return (
    <Stack gap="xs">
      <Button
        variant="default"
        fullWidth
        loading={isPending && variables === 'play'}
        leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />}
        onClick={() => mutate('play')}
      >
        {t('video.play')}
      </Button>
      <Button
        variant="default"
        fullWidth
        loading={isPending && variables === 'review'}
        leftSection={<IconScissors size={15} stroke={1.6} aria-hidden />}
        onClick={() => mutate('review')}
      >
        {t('review.open')}
      </Button>
      {isPending && (
        <Text size="sm" c="var(--q-ink-2)" role="status">
          {t('video.preparing', { share: format.percent(done) })}
        </Text>
      )}
      <ErrorNote error={error} />
    </Stack>
  );
}
