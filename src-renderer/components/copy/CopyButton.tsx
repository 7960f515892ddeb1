import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCopy } from './useCopy.ts';

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, size }: { text: string; size?: 'xs' }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  return (
    <Button
      {...(size && { size })}
      variant="default"
      leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      onClick={copy}
    >
      {t(copied ? 'action.copied' : 'action.copy')}
    </Button>
  );
}
