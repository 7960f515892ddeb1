import { Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { PolicyView } from '../../../../src-preload/contract/node.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { modelTitle } from '../../../i18n/model-title.ts';
import { useNode } from '../../../state/node.ts';
import { downloadOf } from '../model/choices.ts';
import { DownloadCard } from '../model/DownloadCard.tsx';
import { StepFrame } from '../StepFrame.tsx';
import { useLeave } from '../use-leave.ts';
import type { StepProps } from '../Welcome.tsx';
import classes from '../welcome.module.css';
import { useWelcome } from '../welcome-state.ts';
import { StartActions } from './StartActions.tsx';
import { useStart } from './use-start.ts';

/** Says what will run and when it steps back, and starts it: at once, or as soon as the picked model is here. */
export function StartStep({ downloads, onBack }: StepProps) {
  const { t } = useTranslation('welcome');
  const picked = useWelcome((welcome) => welcome.picked);
  const download = downloadOf(downloads, picked);
  const { leave } = useLeave();
  const start = useStart({ waitsFor: download?.name, onStarted: leave });
  const { state, error } = useStanding(start);
  return (
    <StepFrame
      title={t('start.title')}
      intro={t(`start.intro.${state}`)}
      onBack={onBack}
      actions={<StartActions start={start} state={state} downloads={download !== undefined} />}
    >
      {download && <DownloadCard download={download} title={modelTitle(download.name).title} />}
      {start.isArmed && <Waiting text={t('start.armed')} />}
      {start.isPending && <Waiting text={t('start.loading')} />}
      <ErrorNote error={error} />
      {error && <p className={classes.intro}>{t('start.failedHelp')}</p>}
      {state !== 'asks' && <WhatRuns picked={picked} />}
    </StepFrame>
  );
}

/** How mining stands; an earlier start, of the node itself perhaps, may have failed too. */
function useStanding({ isPending, error }: ReturnType<typeof useStart>) {
  const status = useNode((node) => node.status);
  if (status && !status.mining) return { state: 'asks' as const };
  if (status?.mining?.state === 'running') return { state: 'running' as const, error };
  const earlier = status?.mining?.error && new QuarryError(status.mining.error);
  const failure = isPending ? undefined : (error ?? earlier);
  return { state: failure ? ('failed' as const) : ('stopped' as const), error: failure };
}

function Waiting({ text }: { text: string }) {
  return (
    <div role="status" style={{ display: 'flex', gap: 10, alignItems: 'center' }}>
      <Loader size="xs" aria-hidden />
      {text}
    </div>
  );
}

/** The model, and what one may count on while it runs. */
function WhatRuns({ picked }: { picked: string | undefined }) {
  const { t } = useTranslation('welcome');
  const next = useNode(({ status }) => status?.mining?.model);
  const { data: local = [] } = useAnswer(api.models.list.queryOptions());
  const model = picked ?? next;
  const tiny = !model || local.some(({ name, tiny }) => tiny && name === model);
  return (
    <dl className={classes.facts}>
      <dt>{t('start.model')}</dt>
      <dd>{tiny ? t('model.tinyTitle') : modelTitle(model).title}</dd>
      <dt>{t('start.stepsBack')}</dt>
      <dd>
        <PolicySentence />
      </dd>
      <dt>{t('start.end')}</dt>
      <dd>{t('start.endHow')}</dd>
    </dl>
  );
}

/** When mining steps back for whoever uses this computer, in a sentence. */
function PolicySentence() {
  const { t, i18n } = useTranslation('welcome');
  const rules = useNode(({ status }) => status?.policy?.rules) ?? [];
  const list = new Intl.ListFormat(i18n.language, { type: 'disjunction' });
  const when = (action: Action) =>
    list.format(rules.filter((one) => one.action === action).map(({ rule }) => t(`policy.rule.${rule}`)));
  const parts = { pauses: when('pause'), slows: when('throttle') };
  const sentence = parts.pauses ? (parts.slows ? 'both' : 'pauses') : parts.slows ? 'slows' : 'none';
  return [t(`policy.${sentence}`, parts), t('policy.settings')].join(' ');
}

type Action = PolicyView['rules'][number]['action'];
