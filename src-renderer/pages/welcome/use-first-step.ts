import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useSetting } from '../../state/settings.ts';
import { firstStep, type Step } from './steps.ts';

/** The step that the welcome opens at, worked out once; undefined until main has said what is there. */
export function useFirstStep(): Step | undefined {
  const nodeName = useSetting<string>('nodeName');
  const models = useAnswer(api.models.list.queryOptions());
  const downloads = useAnswer(api.models.downloads.queryOptions());
  const [step, setStep] = useState<Step>();
  const settled = !models.isPending && !downloads.isPending;
  if (!step && settled) setStep(firstStep({ nodeName, models: models.data ?? [], downloads: downloads.data ?? [] }));
  return step;
}
