import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../api/client.ts';
import { EmptyState } from '../../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../../components/Section.tsx';
import { type AuditsView, fileTitle, refreshCalibrations } from '../use-audits.ts';
import { isUnderWay } from '../verdict.ts';
import { Thresholds } from './Thresholds.tsx';

/** What audits go by: how far honest answers of each file were from how it read them again, and the way to measure that anew. */
export function Calibration({ view, nameOf }: { view: AuditsView; nameOf: (model: string) => string }) {
  const { t } = useTranslation('audits');
  const { now, calibrations, outdated } = view;
  const all = [...calibrations, ...outdated];
  const { own } = now;
  const calibrate = useMutation(api.audits.calibrate.mutationOptions());
  useToldWhenDone(view);
  const again = own.state === 'ready' && all.some(({ model }) => model === own.model);
  return (
    <Section
      title={t('calibration.title')}
      description={t('calibration.what')}
      aside={
        (own.state === 'ready' || own.state === 'none') && (
          <Button
            size="xs"
            variant="default"
            disabled={isUnderWay(now.calibration)}
            loading={calibrate.isPending}
            onClick={() => calibrate.mutate(undefined)}
          >
            {t(again ? 'calibration.again' : 'calibration.begin')}
          </Button>
        )
      }
    >
      <ErrorNote error={calibrate.error} />
      {all.length === 0 ? (
        <EmptyState title={t('calibration.none')}>{t('calibration.noneMeans')}</EmptyState>
      ) : (
        <>
          <Thresholds calibrations={all} nameOf={nameOf} />
          <Text size="xs" c="dimmed" maw={640} mt={10}>
            {t('calibration.means')}
          </Text>
        </>
      )}
    </Section>
  );
}

/** Says so once a calibration that was seen under way is done, and has what it gave shown. */
function useToldWhenDone({ now: { calibration } }: AuditsView): void {
  const { t } = useTranslation('audits');
  const wasUnderWay = useRef(false);
  const name = calibration?.name ?? '';
  const isDone = calibration?.state === 'done';
  useEffect(() => {
    if (wasUnderWay.current && isDone) {
      void refreshCalibrations();
      notifications.show({ message: t('calibration.done', { name: fileTitle(name) }) });
    }
    wasUnderWay.current = isUnderWay(calibration);
  });
}
