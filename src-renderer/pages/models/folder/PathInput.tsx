import { Button, Group, TextInput } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { client } from '../../../api/client.ts';
import { isDesktop } from '../../../api/port.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';

interface PathInputProps {
  kind: 'modelFile' | 'folder';
  label: string;
  value: string;
  disabled?: boolean;
  error?: string | undefined;
  onChange: (path: string) => void;
}

/** A path on the computer of the node: typed, or on the desktop found with the system's own dialog. */
export function PathInput({ kind, label, value, disabled, error, onChange }: PathInputProps) {
  const { t } = useTranslation('models');
  const pick = useMutation({
    mutationFn: () => (kind === 'folder' ? client.desktop.pickFolder() : client.desktop.pickModelFile()),
    onSuccess: ({ path }) => path !== null && onChange(path),
  });
  return (
    <>
      <Group align="flex-end" wrap="nowrap" gap="xs">
        <TextInput
          flex={1}
          required
          label={label}
          description={isDesktop() ? undefined : t('path.help')}
          placeholder={t(`path.${kind}`)}
          value={value}
          disabled={disabled}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
          data-autofocus
        />
        {isDesktop() && (
          <Button
            variant="default"
            leftSection={<IconFolderOpen size={16} aria-hidden />}
            disabled={disabled}
            loading={pick.isPending}
            onClick={() => pick.mutate()}
          >
            {t('path.pick')}
          </Button>
        )}
      </Group>
      <ErrorNote error={pick.error} />
    </>
  );
}
