import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useNode } from '../../state/node.ts';

/** Says where real models are, while the built-in one is loaded. */
export function TinyModelHint() {
  const { t } = useTranslation('dashboard');
  const tiny = useNode(({ status }) => status?.engine.model?.tiny ?? false);
  if (!tiny) return null;
  return (
    <Alert color="blue" icon={<IconBulb aria-hidden />} title={t('tiny.title')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('tiny.text')}</Text>
        <Button component="a" href="#/models/catalogue" size="xs" variant="default">
          {t('tiny.action')}
        </Button>
      </Stack>
    </Alert>
  );
}
