import { Button, List, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { client } from '../../api/client.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { saveFile } from '../../components/save-file.ts';
import { SettingsCard } from './SettingsCard.tsx';

/** A file for whoever helps to find a fault, with a word on what is in it. */
export function Diagnostics() {
  const { t } = useTranslation('settings');
  const make = useMutation({
    mutationFn: () => client.node.diagnostics(),
    onSuccess: ({ fileName, text }) => saveFile(new Blob([text], { type: 'application/json' }), fileName),
  });
  return (
    <SettingsCard title={t('diagnostics.title')} help={t('diagnostics.help')}>
      <List size="sm" spacing={4}>
        <List.Item>{t('diagnostics.inside')}</List.Item>
        <List.Item>{t('diagnostics.removed')}</List.Item>
        <List.Item>{t('diagnostics.stays')}</List.Item>
      </List>
      <div>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={make.isPending}
          onClick={() => make.mutate()}
        >
          {t('diagnostics.make')}
        </Button>
        <Text size="sm" role="status" mt={4}>
          {make.data && t('diagnostics.made', { file: make.data.fileName })}
        </Text>
      </div>
      <ErrorNote error={make.error} />
    </SettingsCard>
  );
}
