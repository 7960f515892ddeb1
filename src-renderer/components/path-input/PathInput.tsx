import { Button, Group, TextInput } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { client } from '../../api/client.ts';
import { isDesktop } from '../../api/port.ts';
import { ErrorNote } from '../errors/ErrorNote.tsx';

type Kind = 'modelFile' | 'folder';

interface PathInputProps {
  /** What it is the path of; of several, any. */
  kinds: readonly [Kind, ...Kind[]];
  label: string;
  value: string;
  disabled?: boolean;
  error?: string | undefined;
  onChange: (path: string) => void;
}

/** A path on the computer of the node: typed, or on the desktop found with the system's own dialog. */
export function PathInput({ kinds, label, value, disabled, error, onChange }: PathInputProps) {
  const { t } = useTranslation();
  const pick = useMutation({
    mutationFn: (kind: Kind) => (kind === 'folder' ? client.desktop.pickFolder() : client.desktop.pickModelFile()),
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
          placeholder={t(`path.${kinds[0]}`)}
          value={value}
          disabled={disabled}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
          data-autofocus
        />
        {isDesktop() &&
          kinds.map((kind) => (
            <Button
              key={kind}
              variant="default"
              leftSection={<IconFolderOpen size={16} aria-hidden />}
              disabled={disabled}
              loading={pick.isPending && pick.variables === kind}
              onClick={() => pick.mutate(kind)}
            >
              {t(kinds.length === 1 ? 'path.pick' : `path.pickOne.${kind}`)}
            </Button>
          ))}
      </Group>
      <ErrorNote error={pick.error} />
    </>
  );
}
