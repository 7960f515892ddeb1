import { Button, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { LoadedModel } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { tellError } from '../../../components/errors/tell-error.ts';
import { Section } from '../../../components/Section.tsx';
import { useTitles } from '../../../components/useTitles.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useNode } from '../../../state/node.ts';

/** Models come and go with what programs ask. */
const LOOK_AGAIN_MS = 5_000;

/** The models that are in memory, what they take, and when they go; nothing where there are none. */
export function InMemory() {
  const { t } = useTranslation('models');
  const { data: loaded = [] } = useAnswer(api.models.loaded.queryOptions({ refetchInterval: LOOK_AGAIN_MS }));
  if (loaded.length === 0) return null;
  return (
    <Section title={t('loaded.title')} description={t('loaded.explain')}>
      <Table aria-label={t('loaded.title')}>
        <Table.Tbody>
          {loaded.map((model) => (
            <LoadedRow key={model.name} model={model} />
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function LoadedRow({ model }: { model: LoadedModel }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const title = useTitles()(model.name);
  const mining = useNode(({ status }) => status?.mining?.state ?? 'stopped');
  const free = useMutation(
    api.models.free.mutationOptions({
      onSuccess: (left) => queryClient.setQueryData(api.models.loaded.queryKey(), left),
      onError: (error: unknown) => tellError(error),
    }),
  );
  const { memory } = model;
  const isMined = model.own && mining !== 'stopped';
  return (
    <Table.Tr>
      <Table.Td pl={0}>
        <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        <Text size="xs" c="dimmed">
          {useFacts(model, isMined).join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td ta="right" className="num">
        {memory ? format.bytes(memory.ram + memory.vram) : '–'}
      </Table.Td>
      <Table.Td ta="right" pr={0} w={110}>
        {!isMined && (
          <Button
            size="xs"
            variant="default"
            aria-label={t('loaded.freeNamed', { name: title })}
            disabled={model.active + model.waiting > 0}
            loading={free.isPending}
            onClick={() => free.mutate({ name: model.name })}
          >
            {t('loaded.free')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Where it computes, how much it reads, what it has to do, and how long it stays. */
function useFacts({ device, contextSize, active, waiting, freesAt }: LoadedModel, isMined: boolean): string[] {
  const { t } = useTranslation('models');
  const format = useFormat();
  const stay = isMined
    ? t('loaded.mined')
    : freesAt !== null && t('loaded.frees', { when: format.relative(Math.max(freesAt, Date.now())) });
  return [
    t(device === 'cpu' ? 'loaded.cpu' : 'loaded.gpu'),
    t('context.tokens', { tokens: format.number(contextSize) }),
    active + waiting > 0 && t('loaded.requests', { count: active + waiting }),
    stay,
  ].filter((fact) => typeof fact === 'string');
}
