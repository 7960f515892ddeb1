import { Button } from '@mantine/core';
import { IconCpuOff, IconMessageQuestion, IconPlugConnectedX, IconRulerMeasure } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { useNode } from '../../../state/node.ts';
import { wantAction } from '../../../state/wanted.ts';
import { type AuditsView, fileTitle } from './use-audits.ts';

/** What stands in the way of knowing, with the button that puts it right; nothing where nothing does. */
export function Missing({ view: { now, calibrations, judged } }: { view: AuditsView }) {
  const { own } = now;
  if (own.state === 'elsewhere') return <Elsewhere name={own.name} />;
  if (own.state === 'none') return <NotLoaded />;
  if (!calibrations.some(({ model }) => model === own.model)) return <NotCalibrated name={own.name} />;
  return judged.length === 0 ? <NobodyAsked /> : null;
}

function Elsewhere({ name }: { name: string }) {
  const { t } = useTranslation('audits');
  return (
    <Note
      spaced
      icon={IconPlugConnectedX}
      title={t('missing.elsewhere.title')}
      actions={
        <Button component="a" href="#/models" size="xs">
          {t('missing.elsewhere.do')}
        </Button>
      }
    >
      {t('missing.elsewhere.means', { name })}
    </Note>
  );
}

function NotLoaded() {
  const { t } = useTranslation('audits');
  const load = useMutation(api.inference.load.mutationOptions());
  const isLoading = useNode(({ status }) => status?.engine.state === 'starting');
  return (
    <>
      <Note
        spaced
        icon={IconCpuOff}
        title={t('missing.none.title')}
        actions={
          <Button size="xs" loading={load.isPending || isLoading} onClick={() => load.mutate(undefined)}>
            {t('missing.none.do')}
          </Button>
        }
      >
        {t('missing.none.means')}
      </Note>
      <ErrorNote error={load.error} />
    </>
  );
}

function NotCalibrated({ name }: { name: string }) {
  const { t } = useTranslation('audits');
  const calibrate = useMutation(api.audits.calibrate.mutationOptions());
  return (
    <>
      <Note
        spaced
        state="wait"
        icon={IconRulerMeasure}
        title={t('missing.uncalibrated.title', { name: fileTitle(name) })}
        actions={
          <Button size="xs" loading={calibrate.isPending} onClick={() => calibrate.mutate(undefined)}>
            {t('calibration.begin')}
          </Button>
        }
      >
        {t('missing.uncalibrated.means')}
      </Note>
      <ErrorNote error={calibrate.error} />
    </>
  );
}

function NobodyAsked() {
  const { t } = useTranslation('audits');
  const [, go] = useLocation();
  const ask = () => {
    wantAction('askMesh');
    go('/playground');
  };
  return (
    <Note
      spaced
      icon={IconMessageQuestion}
      title={t('missing.nobody.title')}
      actions={
        <Button size="xs" onClick={ask}>
          {t('missing.nobody.do')}
        </Button>
      }
    >
      {t('missing.nobody.means')}
    </Note>
  );
}
