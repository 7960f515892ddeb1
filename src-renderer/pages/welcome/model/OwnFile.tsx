import { Button, Collapse, Group, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LocalModel } from '../../../../src-preload/contract/models.ts';
import { api, client } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { useByteWork } from '../../../components/byte-work/useByteWork.ts';
import { WorkProgress } from '../../../components/byte-work/WorkProgress.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { tellError } from '../../../components/errors/tell-error.ts';
import { refreshModels } from '../../../state/refresh-models.ts';

/** Takes in a GGUF file that is on this computer already. */
export function OwnFile({ onImported }: { onImported: (name: string) => void }) {
  const { t } = useTranslation('welcome');
  const [opened, { toggle }] = useDisclosure();
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="subtle" ml={-18} onClick={toggle} aria-expanded={opened}>
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
  const { data: desktop } = useAnswer(api.desktop.state.queryOptions());
  const work = useByteWork<LocalModel>();
  const running = work.step === 'running';
  const browse = async () => {
    try {
      const picked = await client.desktop.pickModelFile();
      if (picked.path !== null) setPath(picked.path);
    } catch (error) {
      tellError(error);
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const model = await work.start((signal) => client.models.import({ path: path.trim() }, { signal }));
    await refreshModels();
    if (model) onImported(model.name);
  };
  return (
    <Stack gap="sm" component="form" onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          flex="1 1 240px"
          label={t('own.path')}
          description={t('own.help')}
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
          disabled={running}
          spellCheck={false}
        />
        {desktop?.available && (
          <Button variant="default" onClick={() => void browse()} disabled={running}>
            {t('own.browse')}
          </Button>
        )}
        {running ? (
          <Button variant="default" onClick={work.reset}>
            {t('common:action.cancel')}
          </Button>
        ) : (
          <Button type="submit" variant="default" disabled={path.trim() === ''}>
            {t('own.import')}
          </Button>
        )}
      </Group>
      {running && <WorkProgress label={t('own.importing')} progress={work.progress} />}
      <ErrorNote error={work.error} />
    </Stack>
  );
}
