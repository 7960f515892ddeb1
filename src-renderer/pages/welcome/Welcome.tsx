import { Button, Skeleton, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../src-preload/contract/models.ts';
import { api, client } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Banners } from '../../components/banners/Banners.tsx';
import { useFreshDownloads } from '../../state/downloads.ts';
import { useNode } from '../../state/node.ts';
import { useSetting } from '../../state/settings.ts';
import { HelloStep } from './HelloStep.tsx';
import { HardwareStep } from './hardware/HardwareStep.tsx';
import { ModelStep } from './model/ModelStep.tsx';
import { StartStep } from './start/StartStep.tsx';
import { firstStep, STEPS, type Step } from './steps.ts';
import { useLeave } from './use-leave.ts';
import classes from './welcome.module.css';
import { greeted, isFirstVisit, useWelcome } from './welcome-state.ts';

const CONTENT = { hello: HelloStep, hardware: HardwareStep, model: ModelStep, start: StartStep };

/** What a step gets: what is being downloaded, and how to go on, or back where there is a step before. */
export interface StepProps {
  downloads: Download[];
  onNext: () => void;
  onBack: (() => void) | undefined;
}

/** Leads newcomers from nothing to a computer that mines: four steps that can be taken in any order, or left. */
export function Welcome() {
  const { t } = useTranslation('common');
  useLive(
    (signal) => client.node.watch(undefined, { signal }),
    (status) => useNode.setState({ status }),
  );
  const { downloads = [] } = useFreshDownloads();
  const firstStep = useFirstStep();
  const step = useWelcome((welcome) => welcome.step) ?? firstStep;
  return (
    <div className={classes.screen}>
      <WelcomeHeader />
      <main className={classes.panel}>
        <Banners />
        {step ? (
          <>
            <StepBar step={step} onStep={goTo} />
            <StepContent key={step} step={step} downloads={downloads} />
          </>
        ) : (
          <div className={classes.body} role="status" aria-label={t('loading')}>
            <Skeleton h={30} w="46%" />
            <Skeleton h={16} w="92%" />
            <Skeleton h={16} w="78%" />
          </div>
        )}
      </main>
    </div>
  );
}

function WelcomeHeader() {
  const { t } = useTranslation(['welcome', 'common']);
  const { leave, isLeaving } = useLeave();
  return (
    <header className={classes.head}>
      <span className={classes.mark}>
        <img src="./icon.svg" alt="" width={24} height={24} />
        {t('common:appName')}
      </span>
      <Button variant="subtle" color="gray" c="var(--q-ink-2)" loading={isLeaving} onClick={leave}>
        {t('skip')}
      </Button>
    </header>
  );
}

function StepContent({ step, downloads }: { step: Step; downloads: StepProps['downloads'] }) {
  const Content = CONTENT[step];
  const index = STEPS.indexOf(step);
  const before = STEPS[index - 1];
  const after = STEPS[index + 1] ?? step;
  return <Content downloads={downloads} onNext={() => goTo(after)} onBack={before && (() => goTo(before))} />;
}

function goTo(step: Step): void {
  if (step !== 'hello') greeted();
  useWelcome.setState({ step });
}

/** The four steps and where one is; each can be opened. */
function StepBar({ step, onStep }: { step: Step; onStep: (step: Step) => void }) {
  const { t } = useTranslation('welcome');
  return (
    <nav className={classes.steps} aria-label={t('steps.label')}>
      {STEPS.map((name, index) => (
        <UnstyledButton key={name} aria-current={name === step ? 'step' : undefined} onClick={() => onStep(name)}>
          <span className={classes.number}>{index + 1}</span>
          {t(`steps.${name}`)}
        </UnstyledButton>
      ))}
    </nav>
  );
}

/** The step that the welcome opens at, worked out once; undefined until main has said what is there. */
function useFirstStep(): Step | undefined {
  const nodeName = useSetting<string>('nodeName');
  const models = useAnswer(api.models.list.queryOptions());
  const downloads = useAnswer(api.models.downloads.queryOptions());
  const [step, setStep] = useState<Step>();
  const settled = !models.isPending && !downloads.isPending;
  if (!step && settled) {
    const found = { nodeName, models: models.data ?? [], downloads: downloads.data ?? [] };
    setStep(firstStep({ isFirstVisit: isFirstVisit(), ...found }));
  }
  return step;
}
