import { ActionIcon, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '../../../components/page/table.module.css';

interface DownloadButtonProps {
  /** Of the model. */
  title: string;
  loading: boolean;
  onClick: () => void;
}

/** Begins a download, in the row of a model. */
export function DownloadButton({ title, loading, onClick }: DownloadButtonProps) {
  const { t } = useTranslation('models');
  return (
    <Tooltip label={t('card.download')}>
      <ActionIcon
        className={classes.icon}
        variant="default"
        size={28}
        loading={loading}
        aria-label={t('card.downloadOf', { title })}
        onClick={onClick}
      >
        <IconDownload size={15} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
