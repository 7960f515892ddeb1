import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { ExportedVersion, ExportForm } from '../../../../src-preload/contract/learning-versions.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { client } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { saveFrom } from '../../../components/saving/save-file.ts';
import { useFormat } from '../../../i18n/format.ts';

const NAMES: Record<ExportForm, string> = { zip: 'Zip', peft: 'PEFT', gguf: 'GGUF' };

/** Has the browser save a version as a file. */
export function ExportVersion({ id }: { id: string }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const [form, setForm] = useState<ExportForm>('zip');
  // The node takes the file away once nobody listens any more: not before this is closed.
  const listening = useRef(new AbortController());
  useEffect(() => () => listening.current.abort(), []);
  const made = useMutation({
    mutationFn: async () => {
      listening.current.abort();
      listening.current = new AbortController();
      const { signal } = listening.current;
      const file = await firstOf(await client.learning.exportVersion({ version: id, form }, { signal }));
      saveFrom(file.download, file.name);
      return file;
    },
  });
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <SegmentedControl
          aria-label={t('export.form')}
          value={form}
          onChange={(chosen) => setForm(chosen as ExportForm)}
          data={Object.entries(NAMES).map(([value, label]) => ({ value, label }))}
        />
        <Button
          variant="default"
          leftSection={<IconDownload size={15} stroke={1.6} aria-hidden />}
          loading={made.isPending}
          onClick={() => made.mutate()}
        >
          {t('export.do')}
        </Button>
      </Group>
      <Text size="sm" c="var(--q-ink-3)" role="status">
        {made.data
          ? t('export.done', { name: made.data.name, size: format.bytes(made.data.bytes) })
          : t(`export.what.${form}`)}
      </Text>
      <ErrorNote error={made.error} />
    </Stack>
  );
}

/** The file, when it is there; what comes after it is listened to for its sake. @throws what the stream throws before, NOT_RUNNING where it ends */
async function firstOf(stream: AsyncIterable<ExportedVersion>): Promise<ExportedVersion> {
  const first = Promise.withResolvers<ExportedVersion>();
  const listen = async () => {
    for await (const file of stream) first.resolve(file);
    throw new QuarryError({ code: 'NOT_RUNNING', message: say('login.connectionLost'), retryable: true });
  };
  listen().catch(first.reject);
  return await first.promise;
}
