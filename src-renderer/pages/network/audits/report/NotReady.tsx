import { Button } from '@mantine/core';
import { IconCpuOff, IconRulerMeasure } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AuditsNow } from '../../../../../src-preload/contract/audits.ts';
import { api, client } from '../../../../api/client.ts';
import { useAnswer } from '../../../../api/use-answer.ts';
import { ErrorNote } from '../../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../../components/Note.tsx';
import { refreshModels } from '../../../../state/refresh-models.ts';
import { isUnderWay } from '../verdict.ts';

interface NotReadyProps {
  /** SHA-256 of the file that the report is about. */
  model: string;
  title: string;
  isLoaded: boolean;
  now: AuditsNow;
}

/** Why this computer cannot look at a report, with the button that puts it right where there is one. */
export function NotReady({ model, title, isLoaded, now }: NotReadyProps) {
  return isLoaded ? <NotCalibrated title={title} now={now} /> : <NotLoaded model={model} title={title} />;
}

function NotCalibrated({ title, now }: Pick<NotReadyProps, 'title' | 'now'>) {
  const { t } = useTranslation('audits');
  const calibrate = useMutation(api.audits.calibrate.mutationOptions());
  const action = (
    <Button
      size="xs"
      variant="default"
      loading={calibrate.isPending || isUnderWay(now.calibration)}
      onClick={() => calibrate.mutate(undefined)}
    >
      {t('calibration.begin')}
    </Button>
  );
  return (
    <>
      <Note
        state="wait"
        icon={IconRulerMeasure}
        title={t('missing.uncalibrated.title', { name: title })}
        actions={action}
      >
        {t('others.uncalibrated')}
      </Note>
      <ErrorNote error={calibrate.error} />
    </>
  );
}

function NotLoaded({ model, title }: Pick<NotReadyProps, 'model' | 'title'>) {
  const { t } = useTranslation('audits');
  const { data: local } = useAnswer(api.models.list.queryOptions());
  const here = local?.find(({ sha256 }) => sha256 === model);
  const load = useMutation({
    mutationFn: async (name: string) => {
      await client.models.choose({ name });
      await refreshModels();
      await client.inference.load();
    },
  });
  const action = here && (
    <Button size="xs" variant="default" loading={load.isPending} onClick={() => load.mutate(here.name)}>
      {t('others.load', { name: title })}
    </Button>
  );
  return (
    <>
      <Note icon={IconCpuOff} title={t(here ? 'others.notLoaded' : 'others.notHere')} actions={action}>
        {t(here ? 'others.notLoadedMeans' : 'others.notHereMeans', { name: title, sha256: model })}
      </Note>
      <ErrorNote error={load.error} />
    </>
  );
}
