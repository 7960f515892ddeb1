import { Button, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FoundModel, ImportedModel } from '../../../../src-preload/contract/models.ts';
import { api, client } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { useByteWork } from '../../../components/byte-work/useByteWork.ts';
import { WorkProgress } from '../../../components/byte-work/WorkProgress.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { refreshModels } from '../../../state/refresh-models.ts';

const APPS = { ollama: 'Ollama', 'lm-studio': 'LM Studio' } as const;

/** Models of Ollama and LM Studio that can be used where they are; nothing where there are none. */
export function OtherApps() {
  const { t } = useTranslation('models');
  const { data } = useAnswer(api.models.found.queryOptions({ staleTime: Number.POSITIVE_INFINITY }));
  const found = data?.filter(({ installed }) => installed === null) ?? [];
  if (found.length === 0) return null;
  return (
    <Section title={t('otherApps.title')} description={t('otherApps.explain')}>
      <Table aria-label={t('otherApps.title')}>
        <Table.Tbody>
          {found.map((model) => (
            <FoundRow key={model.path} model={model} />
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function FoundRow({ model }: { model: FoundModel }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const work = useByteWork<ImportedModel>();
  const running = work.step === 'running';
  const use = async () => {
    await work.start((signal) => client.models.useInPlace({ path: model.path, name: model.name }, { signal }));
    await Promise.all([refreshModels(), queryClient.invalidateQueries({ queryKey: api.models.found.key() })]);
  };
  const problem = worded(model, 'problem');
  return (
    <Table.Tr>
      <Table.Td pl={0}>
        <Text size="sm" fw={550}>
          {model.title}
        </Text>
        <Text size="xs" c="dimmed">
          {[APPS[model.app], model.quantisation, problem].filter(Boolean).join(' · ')}
        </Text>
        {running && <WorkProgress label={t('otherApps.checking')} progress={work.progress} />}
        <ErrorNote error={work.error} />
      </Table.Td>
      <Table.Td ta="right" className="num">
        {format.bytes(model.bytes)}
      </Table.Td>
      <Table.Td ta="right" pr={0} w={120}>
        {!problem && (
          <Button
            size="xs"
            variant="default"
            aria-label={running ? undefined : t('otherApps.useNamed', { name: model.title })}
            onClick={running ? work.reset : use}
          >
            {t(running ? 'otherApps.cancel' : 'otherApps.use')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
