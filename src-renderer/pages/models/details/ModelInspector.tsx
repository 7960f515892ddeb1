import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { LocalModel, ModelFit } from '../../../../src-preload/contract/models.ts';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { licenceName } from '../model/licence-name.ts';
import { useParametersText, useSpeedText } from '../model/memory-text.ts';
import { type ModelRow, speedShown } from '../model/model-rows.ts';
import { ContextSize } from './ContextSize.tsx';
import { FitNote } from './FitNote.tsx';
import { GpuLayers } from './GpuLayers.tsx';
import { KeepTried } from './KeepTried.tsx';
import { MemoryParts } from './MemoryParts.tsx';
import { ModelPrimary } from './ModelPrimary.tsx';
import { OwnFile } from './OwnFile.tsx';
import { useFitAt } from './use-fit-at.ts';

/** Everything about one model: whether it fits, how fast it is, what it would bring, and the way to get or use it. */
export function ModelInspector({ row }: { row: ModelRow }) {
  const { t } = useTranslation('models');
  const at = useFitAt(row);
  const own = row.local && t(row.local.tiny ? 'local.tiny' : `origin.${row.local.origin}`);
  return (
    <Inspector title={row.title} description={<span className={classes.about}>{row.description || own}</span>}>
      <FitNote row={row} fit={at.fit} />
      {at.fit && (
        <Block title={t(at.fit.room.of === 'vram' ? 'memory.gpu' : 'memory.own')}>
          <MemoryParts fit={at.fit} />
        </Block>
      )}
      {at.fit && row.contextLength !== undefined && row.use !== 'embedding' && (
        <Block>
          <Stack gap={16} key={row.name}>
            <ContextSize most={at.fit.longest} at={at} />
            {row.local && <GpuLayers at={at} />}
            <KeepTried at={at} />
          </Stack>
        </Block>
      )}
      <Block>
        <ModelFacts row={row} />
      </Block>
      <ModelPrimary row={row} />
      {row.local?.offered && <OfferedNote offered={row.local.offered} />}
      {row.local && <OwnFile local={row.local} title={row.title} />}
    </Inspector>
  );
}

/** That this node offers it to the mesh, and whether it would have to be loaded first. */
function OfferedNote({ offered: { loadMs } }: { offered: NonNullable<LocalModel['offered']> }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  return (
    <Text size="sm" c="var(--q-ink-2)">
      {loadMs === undefined ? t('offered.now') : t('offered.loads', { time: format.duration(loadMs) })}
    </Text>
  );
}

function ModelFacts({ row }: { row: ModelRow }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const speedText = useSpeedText();
  const { parameters, quantisation, licence, forecast, local, bytes } = row;
  const parametersText = useParametersText();
  const size = parameters !== undefined && parametersText(parameters);
  const speed = speedShown(row);
  function speedOf({ measured, tokensPerSecond, low, high }: ModelFit['speed']): string {
    if (measured) return t('fit.measured', { rate: speedText(tokensPerSecond) });
    return t('fit.range', { low: speedText(low), high: speedText(high) });
  }
  const income = forecast && (
    <Text span inherit fw={550} c="var(--q-ore)">
      {t('income.likely', { points: format.number(forecast.perDay.likely) })}
    </Text>
  );
  return (
    <>
      <Facts
        facts={[
          [t('fit.speed'), speed && speedOf(speed)],
          [t('income.title'), income],
          [t('card.parameters'), [size, quantisation].filter(Boolean).join(', ') || undefined],
          [t('column.licence'), licence && licenceName(licence)],
          [t('column.size'), local && bytes !== null && format.bytes(bytes)],
        ]}
      />
      {forecast && (
        <Text size="xs" c="dimmed" mt={8}>
          {worded(forecast, 'text')}
        </Text>
      )}
    </>
  );
}
