import { Button, Group, Text } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { BroughtReportView } from '../../../../../src-preload/contract/audits.ts';
import { shortId } from '../../../../../src-preload/contract/limits.ts';
import { Facts } from '../../../../components/page/Inspector.tsx';
import { useFormat } from '../../../../i18n/format.ts';
import type { AuditsView } from '../use-audits.ts';
import { useFindingWords } from '../use-finding-words.ts';
import { WorkBar } from '../WorkBar.tsx';
import { NotReady } from './NotReady.tsx';
import { Outcome } from './Outcome.tsx';
import { forgetReport, repeatReport, stopRepeating, useRepeating } from './repeating.ts';

interface BroughtProps {
  report: BroughtReportView;
  view: AuditsView;
  /** What its file is called here. */
  title: string;
}

/** What a report says, the way to look oneself, and what came of that. */
export function Brought({ report, view, title }: BroughtProps) {
  const { t } = useTranslation('audits');
  const format = useFormat();
  const found = useFindingWords();
  const { stop, result } = useRepeating();
  const { own } = view.now;
  const isLoaded = own.state === 'ready' && own.model === report.model;
  const isCalibrated = view.calibrations.some(({ model }) => model === report.model);
  return (
    <>
      <Facts
        facts={[
          [t('table.worker'), <Mono key="worker">{shortId(report.worker)}</Mono>],
          [t('inspector.file'), title],
          [t('inspector.answers'), format.number(report.answers)],
          [t('table.tokens'), format.number(report.tokens)],
        ]}
      />
      <Text size="sm" maw={640}>
        {t('others.says', { finding: found(report.finding) })}
      </Text>
      {stop && <Reading />}
      {!stop && result && <Outcome result={result} />}
      {!stop && !(isLoaded && isCalibrated) && (
        <NotReady model={report.model} title={title} isLoaded={isLoaded} now={view.now} />
      )}
      {!stop && (
        <Group gap={8}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRepeat size={14} aria-hidden />}
            disabled={!isLoaded || !isCalibrated}
            onClick={() => void repeatReport()}
          >
            {t(result ? 'others.again' : 'others.repeat')}
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={() => void forgetReport()}>
            {t('others.close')}
          </Button>
        </Group>
      )}
    </>
  );
}

function Mono({ children }: { children: string }) {
  return (
    <Text span inherit ff="monospace">
      {children}
    </Text>
  );
}

function Reading() {
  const { t } = useTranslation('audits');
  const format = useFormat();
  const progress = useRepeating((repeating) => repeating.progress);
  return (
    <WorkBar
      label={t('others.now')}
      share={progress ? progress.done / progress.of : 0}
      onCancel={() => stopRepeating()}
    >
      {progress
        ? t('others.progress', { done: format.number(progress.done), of: format.number(progress.of) })
        : t('others.begins')}
    </WorkBar>
  );
}
