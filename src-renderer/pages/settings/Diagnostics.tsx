import { Button, List, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { client } from '../../api/client.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { SettingsCard } from './SettingsCard.tsx';

/** A file for whoever helps to find a fault, with a word on what is in it. */
export function Diagnostics() {
  const { t } = useTranslation('settings');
  const make = useMutation({
    mutationFn: () => client.node.diagnostics(),
    onSuccess: ({ fileName, text }) => saveAs(fileName, text),
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

/** Hands a text to the browser as a file to keep. */
function saveAs(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
