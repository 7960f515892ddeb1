import { Button, Collapse, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, client } from '../../api/client.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useImport } from './use-import.ts';

/** Takes in a GGUF file that is on this computer already. */
export function OwnFile({ onImported }: { onImported: (name: string) => void }) {
  const { t } = useTranslation('welcome');
  const [opened, { toggle }] = useDisclosure();
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="subtle" size="compact-sm" onClick={toggle} aria-expanded={opened}>
        {t('own.title')}
      </Button>
      <Collapse expanded={opened} w="100%">
        <ImportForm onImported={onImported} />
      </Collapse>
    </Stack>
  );
}

function ImportForm({ onImported }: { onImported: (name: string) => void }) {
  const { t } = useTranslation(['welcome', 'common']);
  const [path, setPath] = useState('');
  const { data: desktop } = useQuery(api.desktop.state.queryOptions());
  const { start, cancel, progress, error } = useImport(onImported);
  const browse = async () => setPath((await client.desktop.pickModelFile().catch(() => undefined))?.path ?? path);
  return (
    <Stack
      gap="sm"
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        start(path.trim());
      }}
    >
      <Group align="flex-end">
        <TextInput
          flex="1 1 240px"
          label={t('own.path')}
          description={t('own.help')}
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
          disabled={progress !== undefined}
          spellCheck={false}
        />
        {desktop?.available && (
          <Button variant="default" onClick={() => void browse()} disabled={progress !== undefined}>
            {t('own.browse')}
          </Button>
        )}
        {progress ? (
          <Button variant="default" onClick={cancel}>
            {t('common:action.cancel')}
          </Button>
        ) : (
          <Button type="submit" variant="light" disabled={path.trim() === ''}>
            {t('own.import')}
          </Button>
        )}
      </Group>
      {progress && <ImportProgress {...progress} />}
      <ErrorNote error={error} />
    </Stack>
  );
}

function ImportProgress({ done, total }: { done: number; total: number }) {
  const { t } = useTranslation('welcome');
  const format = useFormat();
  return (
    <Stack gap={4}>
      <Progress value={total > 0 ? (100 * done) / total : 0} aria-label={t('own.importing')} />
      <Text size="sm" c="dimmed">
        {t('own.progress', { done: format.bytes(done), total: format.bytes(total) })}
      </Text>
    </Stack>
  );
}
