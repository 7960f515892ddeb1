import { Badge, DataList, Popover, Text, UnstyledButton } from '@mantine/core';
import { IconCpu, IconGauge, IconQuestionMark, IconRocket, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ModelFit } from '../../../src-preload/contract/models.ts';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';

const LOOKS = {
  gpu: { colour: 'green', icon: IconRocket },
  partly: { colour: 'yellow', icon: IconGauge },
  cpu: { colour: 'blue', icon: IconCpu },
  no: { colour: 'red', icon: IconX },
  unknown: { colour: 'gray', icon: IconQuestionMark },
} as const;

/** How a model would run here, in a word or two; a press tells why. */
export function FitBadge({ fit }: { fit: ModelFit | null }) {
  const { t } = useTranslation('models');
  const { colour, icon: FitIcon } = LOOKS[fit?.runs ?? 'unknown'];
  const words = fit
    ? [t(`fit.${fit.runs}`), fit.runs !== 'no' && t(`speed.${fit.speed.class}`)].filter(Boolean).join(', ')
    : t('fit.unknown');
  const badge = (
    <Badge
      color={colour}
      variant="light"
      size="lg"
      maw="100%"
      leftSection={<FitIcon size={14} aria-hidden />}
      styles={{
        label: { whiteSpace: 'normal', textAlign: 'left', lineHeight: 1.4 },
        root: { height: 'auto', minHeight: 26, paddingBlock: 2 },
      }}
    >
      {words}
    </Badge>
  );
  if (!fit) return badge;
  return (
    <Popover width={320} withArrow shadow="md" position="top-start">
      <Popover.Target>
        <UnstyledButton aria-label={t('fit.why', { words })} style={{ cursor: 'pointer', minWidth: 0 }}>
          {badge}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <FitDetails fit={fit} />
      </Popover.Dropdown>
    </Popover>
  );
}

function FitDetails({ fit }: { fit: ModelFit }) {
  const { contextSize, memory, gpuLayers, layers, speed } = fit;
  const { t } = useTranslation('models');
  const format = useFormat();
  const rate = t('fit.tokensPerSecond', {
    value: format.number(speed.tokensPerSecond, speed.tokensPerSecond < 10 ? 1 : 0),
  });
  const rows = [
    [t('fit.speed'), t(speed.measured ? 'fit.measured' : 'fit.estimated', { rate })],
    [t('fit.context'), t('filter.tokens', { tokens: format.number(contextSize) })],
    [t('fit.memory'), format.bytes(memory.total)],
    [t('fit.weights'), format.bytes(memory.weights)],
    [t('fit.cache'), format.bytes(memory.cache)],
    [t('fit.overhead'), format.bytes(memory.overhead)],
    [t('fit.layers'), t('fit.layersOf', { some: format.number(gpuLayers), all: format.number(layers) })],
  ];
  return (
    <>
      <Text size="sm" mb="sm">
        {worded(fit, 'reason')}
      </Text>
      <DataList size="sm" labelWidth={150}>
        {rows.map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{label}</DataList.ItemLabel>
            <DataList.ItemValue>{value}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
    </>
  );
}
