import { Button } from '@mantine/core';
import {
  IconCpuOff,
  IconMessageQuestion,
  IconPlugConnectedX,
  IconRulerMeasure,
  IconRulerOff,
} from '@tabler/icons-react';
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
  if (own.state === 'elsewhere' || own.state === 'otherwise') return <NoAuditor {...own} />;
  if (own.state === 'none') return <NotLoaded />;
  if (!calibrations.some(({ model }) => model === own.model)) return <NotCalibrated name={own.name} />;
  return judged.length === 0 ? <NobodyAsked /> : null;
}

const WAYS_OUT = {
  elsewhere: { icon: IconPlugConnectedX, href: '#/models' },
  otherwise: { icon: IconRulerOff, href: '#/settings/engine' },
} as const;

/** The model that is loaded is none that can look. */
function NoAuditor({ state, name }: { state: keyof typeof WAYS_OUT; name: string }) {
  const { t } = useTranslation('audits');
  const { icon, href } = WAYS_OUT[state];
  return (
    <Note
      spaced
      icon={icon}
      title={t(`missing.${state}.title`)}
      actions={
        <Button component="a" href={href} size="xs">
          {t(`missing.${state}.do`)}
        </Button>
      }
    >
      {t(`missing.${state}.means`, { name: fileTitle(name) })}
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
