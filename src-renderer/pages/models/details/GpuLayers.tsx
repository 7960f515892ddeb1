import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useSetting } from '../../../state/settings.ts';
import { FitSlider } from './FitSlider.tsx';
import type { FitAt } from './use-fit-at.ts';

/** How much of the model computes on the graphics card; nothing where there is none that models can use. */
export function GpuLayers({ at: { fit, tried, tryOut } }: { at: FitAt }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const { data } = useAnswer(api.node.hardware.queryOptions({ staleTime: Number.POSITIVE_INFINITY }));
  const set = useSetting<number>('gpuLayers') ?? -1;
  const hasCard = data?.gpus.value?.some(({ backend }) => backend) ?? false;
  if (!fit || !hasCard) return null;
  const wanted = tried.gpuLayers ?? set;
  const automatic = wanted < 0;
  const most = format.number(fit.layers);
  return (
    <div>
      <FitSlider
        title={t('layers.title')}
        steps={Array.from({ length: fit.layers + 1 }, (_, layers) => layers)}
        value={automatic ? fit.gpuLayers : Math.min(wanted, fit.layers)}
        written={(layers) => t('layers.of', { layers: format.number(layers), most })}
        onChoose={(gpuLayers) => tryOut({ gpuLayers })}
      />
      <Text size="xs" c="dimmed" mt={10}>
        {automatic ? t('layers.automatic') : t('layers.chosen')}{' '}
        {!automatic && (
          <Anchor component="button" type="button" fz="inherit" onClick={() => tryOut({ gpuLayers: -1 })}>
            {t('layers.toAutomatic')}
          </Anchor>
        )}
      </Text>
    </div>
  );
}
