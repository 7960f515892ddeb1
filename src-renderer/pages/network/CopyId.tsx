import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../src-preload/contract/limits.ts';
import { useCopy } from '../../components/copy/useCopy.ts';

/** Copies a node's whole id. */
export function CopyId({ id }: { id: string }) {
  const { t } = useTranslation(['network', 'common']);
  const { copied, copy } = useCopy(id);
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      ml={4}
      aria-label={copied ? t('common:action.copied') : t('network:copyId', { id: shortId(id) })}
      onClick={copy}
    >
      {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
    </ActionIcon>
  );
}
