import { Box, Button, Container, Group, Loader, Paper, Progress, Stack, Stepper, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../src-preload/contract/models.ts';
import { api, client } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Banners } from '../../components/banners/Banners.tsx';
import { ThemeSwitch } from '../../components/ThemeSwitch.tsx';
import { useDownloads } from '../../state/downloads.ts';
import { useNode } from '../../state/node.ts';
import { useSetting } from '../../state/settings.ts';
import { HardwareStep } from './HardwareStep.tsx';
import { HelloStep } from './HelloStep.tsx';
import { ModelStep } from './ModelStep.tsx';
import { StartStep } from './StartStep.tsx';
import { firstStep, STEPS, type Step } from './steps.ts';
import { useLeave } from './use-leave.ts';
import { useWelcome } from './welcome-state.ts';

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
  const { downloads = [] } = useDownloads();
  const firstStep = useFirstStep();
  const step = useWelcome((welcome) => welcome.step) ?? firstStep;
  return (
    <Box mih="100vh">
      <WelcomeHeader />
      <Container component="main" size="md" py="xl" px="md">
        <Banners />
        {!step && <Loader role="status" aria-label={t('loading')} />}
        {step && (
          <Stack gap="xl">
            <StepBar step={step} onStep={goTo} />
            <Paper withBorder p={{ base: 'lg', sm: 'xl' }}>
              <StepContent step={step} downloads={downloads} />
            </Paper>
          </Stack>
        )}
      </Container>
    </Box>
  );
}

function WelcomeHeader() {
  const { t } = useTranslation(['welcome', 'common']);
  const { leave, isLeaving } = useLeave();
  return (
    <Group component="header" justify="space-between" wrap="nowrap" px="md" h={60}>
      <Group gap="sm" wrap="nowrap">
        <img src="./icon.svg" alt="" width={30} height={30} />
        <Text fw={700} size="lg">
          {t('common:appName')}
        </Text>
      </Group>
      <Group gap="sm" wrap="nowrap">
        <Button variant="subtle" color="gray" c="dimmed" loading={isLeaving} onClick={leave}>
          {t('skip')}
        </Button>
        <ThemeSwitch />
      </Group>
    </Group>
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
  useWelcome.setState({ step });
}

/** The four steps and where one is; on a narrow screen in words. */
function StepBar({ step, onStep }: { step: Step; onStep: (step: Step) => void }) {
  const { t } = useTranslation('welcome');
  const index = STEPS.indexOf(step);
  const choose = (chosen: number) => onStep(STEPS[chosen] ?? step);
  return (
    <Box component="nav" aria-label={t('steps.label')}>
      <Stepper active={index} onStepClick={choose} size="sm" visibleFrom="sm">
        {STEPS.map((name) => (
          <Stepper.Step key={name} label={t(`steps.${name}`)} aria-current={name === step ? 'step' : undefined} />
        ))}
      </Stepper>
      <Stack gap="xs" hiddenFrom="sm">
        <Text size="sm">{t('steps.place', { step: index + 1, steps: STEPS.length, name: t(`steps.${step}`) })}</Text>
        <Progress value={(100 * (index + 1)) / STEPS.length} aria-label={t('steps.label')} />
      </Stack>
    </Box>
  );
}

/** The step that the welcome opens at, worked out once; undefined until main has said what is there. */
function useFirstStep(): Step | undefined {
  const nodeName = useSetting<string>('nodeName');
  const models = useAnswer(api.models.list.queryOptions());
  const downloads = useAnswer(api.models.downloads.queryOptions());
  const [step, setStep] = useState<Step>();
  const settled = !models.isPending && !downloads.isPending;
  if (!step && settled) setStep(firstStep({ nodeName, models: models.data ?? [], downloads: downloads.data ?? [] }));
  return step;
}
