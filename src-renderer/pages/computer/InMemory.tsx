import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Facts } from '../../components/page/Inspector.tsx';
import { Section } from '../../components/Section.tsx';
import { useTitles } from '../../components/useTitles.ts';
import { useFormat } from '../../i18n/format.ts';
import { useNode } from '../../state/node.ts';

const ROPE = { yarn: 'YaRN', linear: 'RoPE' };

/** The model that is loaded, and where it computes. */
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
  if (!model) {
    return (
      <Section title={t('model.title')} aside={choose}>
        <EmptyState title={t('model.none')}>{t('model.noneHint')}</EmptyState>
      </Section>
    );
  }
  const { name, device, gpuLayers = 0, threads, contextSize, parallel, kvCache, rope } = model;
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
          [t('model.scaling'), rope && `${ROPE[rope.type]} × ${format.number(rope.factor)}`],
        ]}
      />
    </Section>
  );
}
