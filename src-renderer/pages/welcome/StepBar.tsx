import { Box, Progress, Stack, Stepper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { STEPS, type Step } from './steps.ts';

/** The four steps and where one is; on a narrow screen in words. */
export function StepBar({ step, onStep }: { step: Step; onStep: (step: Step) => void }) {
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
