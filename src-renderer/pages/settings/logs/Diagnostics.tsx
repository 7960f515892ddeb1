import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { client } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { saveFile } from '../../../components/saving/save-file.ts';
import { FormSection } from '../fields/Fields.tsx';
import classes from '../settings.module.css';

/** A file for whoever helps to find a fault, with a word on what is in it. */
export function Diagnostics() {
  const { t } = useTranslation('settings');
  const make = useMutation({
    mutationFn: () => client.node.diagnostics(),
    onSuccess: ({ fileName, text }) => saveFile(new Blob([text], { type: 'application/json' }), fileName),
  });
  return (
    <FormSection title={t('diagnostics.title')} help={t('diagnostics.help')}>
      <p className={classes.fact}>
        {t('diagnostics.inside')} {t('diagnostics.removed')} {t('diagnostics.stays')}
      </p>
      <div>
        <Button
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
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
    </FormSection>
  );
}
