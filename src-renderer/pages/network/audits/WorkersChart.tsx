import { Box, SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditMeasureName } from '../../../../src-preload/contract/audits.ts';
import { shortId } from '../../../../src-preload/contract/limits.ts';
import { Legend } from '../../../components/chart/Legend.tsx';
import { ThresholdChart } from '../../../components/chart/ThresholdChart.tsx';
import table from '../../../components/page/table.module.css';
import { inkOf } from '../../../components/state.ts';
import { useFormat } from '../../../i18n/format.ts';
import type { AuditsView } from './use-audits.ts';
import { useMean } from './use-measure.ts';
import { MEASURES, VERDICT_LOOKS } from './verdict.ts';

interface WorkersChartProps {
  view: AuditsView;
  nameOf: (model: string) => string;
}

/** How far workers with one file are from this computer's model, by how much was looked at, and the line above which somebody is found out. */
export function WorkersChart({ view, nameOf }: WorkersChartProps) {
  const { t } = useTranslation('audits');
  const [measure, setMeasure] = useState<AuditMeasureName>('top');
  const [chosen, setChosen] = useState<string>();
  const files = [...new Set(view.judged.map(({ audit }) => audit.model))];
  const { own } = view.now;
  const first = own.state === 'ready' && files.includes(own.model) ? own.model : files[0];
  const file = chosen !== undefined && files.includes(chosen) ? chosen : first;
  if (file === undefined) return null;
  return (
    <Box className={table.pad} pt={0} pb={8}>
      <Box className={table.tools} px={0}>
        {files.length > 1 && (
          <Select
            aria-label={t('chart.file')}
            data={files.map((model) => ({ value: model, label: nameOf(model) }))}
            value={file}
            onChange={(model) => model && setChosen(model)}
            allowDeselect={false}
            w={210}
          />
        )}
        <SegmentedControl
          aria-label={t('chart.measure')}
          data={MEASURES.map((value) => ({ value, label: t(`short.${value}`) }))}
          value={measure}
          onChange={(value) => setMeasure(value)}
        />
      </Box>
      <Drawn view={view} file={file} title={nameOf(file)} measure={measure} />
    </Box>
  );
}

interface DrawnProps {
  view: AuditsView;
  file: string;
  title: string;
  measure: AuditMeasureName;
}

function Drawn({ view, file, title, measure }: DrawnProps) {
  const { t } = useTranslation('audits');
  const format = useFormat();
  const mean = useMean();
  const calibration = view.calibrations.find(({ model }) => model === file);
  const workers = view.judged
    .filter(({ audit }) => audit.model === file)
    .map(({ audit, verdict }) => ({
      name: shortId(audit.worker),
      at: audit.tokens,
      value: audit[measure],
      state: VERDICT_LOOKS[verdict].state,
      word: t(`verdict.${verdict}`),
      isOver: verdict === 'found' || verdict === 'above',
    }));
  const shown = [...new Set(view.judged.filter(({ audit }) => audit.model === file).map(({ verdict }) => verdict))];
  return (
    <>
      <Legend
        items={shown.map((verdict) => ({
          label: t(`verdict.${verdict}`),
          colour: inkOf(VERDICT_LOOKS[verdict].state),
        }))}
      />
      <ThresholdChart
        label={t('chart.label', {
          measure: t(`measure.${measure}`),
          file: title,
          found: format.number(workers.filter(({ isOver }) => isOver).length),
          all: format.number(workers.length),
        })}
        empty={t('chart.empty')}
        steps={(calibration?.thresholds ?? []).map((each) => ({ from: each.tokens, threshold: each[measure] }))}
        points={workers}
        write={(value) => mean(measure, value)}
        words={{
          point: t('table.worker'),
          at: t('table.tokens'),
          value: t(`short.${measure}`),
          threshold: t('chart.threshold'),
          verdict: t('table.verdict'),
        }}
        above={t('chart.tooMuch')}
        axis={t('chart.axis')}
        height={150}
      />
    </>
  );
}
