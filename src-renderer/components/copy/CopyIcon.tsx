import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCopy } from './useCopy.ts';

/** Copies a short text that stands beside it. @param label says what is copied */
export function CopyIcon({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <ActionIcon variant="subtle" color="gray" size={28} onClick={copy} aria-label={copied ? t('action.copied') : label}>
      <Icon size={15} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
}
