import { Button, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../focus.module.css';

/** The video of a recording, made ready when somebody wants to see it. */
export function Player({ id, title }: { id: string; title: string }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const [done, setDone] = useState(0);
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: async () => {
      for await (const step of await client.focus.prepare({ id })) setDone(step.done);
      return await client.focus.view({ id });
    },
  });
  // biome-ignore lint/a11y/useMediaCaption: nobody has written down what is said in it
  if (data) return <video className={classes.video} src={data.path} aria-label={title} controls autoPlay />;
  return (
    <>
      <Button
        variant="default"
        fullWidth
        loading={isPending}
        leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />}
        onClick={() => mutate()}
      >
        {t('video.play')}
      </Button>
      {isPending && (
        <Text size="sm" c="var(--q-ink-2)" role="status" mt={6}>
          {t('video.preparing', { share: format.percent(done) })}
        </Text>
      )}
      <ErrorNote error={error} />
    </>
  );
}
