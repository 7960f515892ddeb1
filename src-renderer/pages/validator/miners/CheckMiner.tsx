import { Button } from '@mantine/core';
import { IconCheck, IconPlugConnected } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';

/** Asks a miner something small at once, and tells which model answered and how long that took, or what kept it from it. */
export function CheckMiner({ name }: { name: string }) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const { data, error, isPending, mutate } = useMutation(api.validator.checkMiner.mutationOptions());
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlugConnected size={15} stroke={1.6} aria-hidden />}
        loading={isPending}
        onClick={() => mutate({ name })}
      >
        {t('check.run')}
      </Button>
      {data && (
        <Note state="good" icon={IconCheck} role="status" title={t('check.works', { time: format.duration(data.ms) })}>
          {t('check.model', { model: data.model })}
        </Note>
      )}
      <ErrorNote error={error} />
    </>
  );
}
