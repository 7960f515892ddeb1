import { Box, Button } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { isDesktop } from '../../api/port.ts';
import { ErrorNote } from '../errors/ErrorNote.tsx';

/** Shows a folder in the system's file manager; nothing where the page is not shown by the desktop app. */
export function OpenFolder({ folder }: { folder: 'data' | 'models' }) {
  const { t } = useTranslation('settings');
  const open = useMutation(api.desktop.openFolder.mutationOptions());
  if (!isDesktop()) return null;
  return (
    <Box>
      <Button
        variant="default"
        leftSection={<IconFolderOpen size={16} aria-hidden />}
        loading={open.isPending}
        onClick={() => open.mutate({ folder })}
      >
        {t('folders.open')}
      </Button>
      <ErrorNote error={open.error} />
    </Box>
  );
}
