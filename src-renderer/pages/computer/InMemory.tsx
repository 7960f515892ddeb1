import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Facts } from '../../components/page/Inspector.tsx';
import { Section } from '../../components/Section.tsx';
import { useTitles } from '../../components/useTitles.ts';
import { useFormat } from '../../i18n/format.ts';
import { useNode } from '../../state/node.ts';

const ROPE = { yarn: 'YaRN', linear: 'RoPE' };

/** Models come and go with what programs ask. */
const LOOK_AGAIN_MS = 5_000;

/** The node's own model, where it computes, and those that are loaded beside it. */
export function InMemory() {
  const { t } = useTranslation('computer');
  const format = useFormat();
  const titleOf = useTitles();
  const model = useNode(({ status }) => status?.engine.model);
  const choose = (
    <Button component="a" href="#/models" size="xs" variant="subtle" color="gray" mr={-10}>
      {t('model.all')}
    </Button>
  );
  const beside = useBeside().map(titleOf).join(', ');
  if (!model) {
    return (
      <Section title={t('model.title')} aside={choose}>
        {beside ? (
          <Facts facts={[[t('model.name'), beside]]} />
        ) : (
          <EmptyState title={t('model.none')}>{t('model.noneHint')}</EmptyState>
        )}
      </Section>
    );
  }
  const { name, device, gpuLayers = 0, threads, contextSize, parallel, kvCache, rope, draft } = model;
  const onCard = device !== 'cpu';
  return (
    <Section title={t('model.title')} aside={choose}>
      <Facts
        facts={[
          [t('model.name'), titleOf(name)],
          [t('model.device'), t(onCard ? 'use.gpu' : 'use.cpu')],
          [t('model.layers'), onCard && format.number(gpuLayers)],
          [t('model.threads'), threads !== undefined && format.number(threads)],
          [t('model.context'), t('model.tokens', { tokens: format.number(contextSize) })],
          [t('model.parallel'), format.number(parallel)],
          [t('model.cache'), kvCache !== 'f16' && kvCache],
          [t('model.draft'), draft && titleOf(draft.name)],
          [t('model.scaling'), rope && `${ROPE[rope.type]} × ${format.number(rope.factor)}`],
          [t('model.beside'), beside],
        ]}
      />
    </Section>
  );
}

/** Names of models that were loaded beside the node's own. */
function useBeside(): string[] {
  const { data: loaded = [] } = useAnswer(api.models.loaded.queryOptions({ refetchInterval: LOOK_AGAIN_MS }));
  return loaded.filter(({ own }) => !own).map(({ name }) => name);
}
