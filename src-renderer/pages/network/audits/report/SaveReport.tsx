import { Button, List } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../../../src-preload/contract/limits.ts';
import { client } from '../../../../api/client.ts';
import { ConfirmDialog } from '../../../../components/ConfirmDialog.tsx';
import { saveFile } from '../../../../components/saving/save-file.ts';

interface SaveReportProps {
  worker: string;
  /** SHA-256 of the file that it declares. */
  model: string;
}

/** Saves what a worker was found out by, for others to look at, once somebody knows that his own questions are in it. */
export function SaveReport({ worker, model }: SaveReportProps) {
  const { t } = useTranslation('audits');
  const [opened, setOpened] = useState(false);
  const save = useMutation({
    mutationFn: async () => {
      const pieces: string[] = [];
      for await (const { text } of await client.audits.report({ worker, model })) pieces.push(text);
      saveFile(new Blob(pieces, { type: 'application/json' }), `quarry-audit-${shortId(worker)}.json`);
    },
    onSuccess: () => close(),
  });
  const close = () => {
    save.reset();
    setOpened(false);
  };
  return (
    <>
      <Button
        fullWidth
        variant="default"
        leftSection={<IconDownload size={15} stroke={1.6} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {t('save.open')}
      </Button>
      <ConfirmDialog
        opened={opened}
        title={t('save.title')}
        action={t('save.do')}
        colour="quarry"
        pending={save.isPending}
        error={save.error}
        onConfirm={() => save.mutate()}
        onClose={close}
      >
        <List size="sm" spacing={4}>
          <List.Item>{t('save.questions')}</List.Item>
          <List.Item>{t('save.signed')}</List.Item>
          <List.Item>{t('save.nobody')}</List.Item>
        </List>
      </ConfirmDialog>
    </>
  );
}
