import { Button, Drawer, NumberInput, Stack, Textarea } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import { DEFAULTS } from '../../../src-preload/contract/defaults.ts';
import {
  MAX_ANSWER_TOKENS,
  MAX_ASKED_TEMPERATURE,
  MAX_REPEAT_PENALTY,
  MAX_SEED,
  MAX_SYSTEM_CHARS,
  MAX_TOP_K,
} from '../../../src-preload/contract/limits.ts';

interface ParametersDrawerProps {
  opened: boolean;
  options: AskOptions;
  onChange: (options: AskOptions) => void;
  onClose: () => void;
}

/** Within the contract's bounds; the default in grey. */
const NUMBERS = [
  { name: 'maxTokens', min: 1, max: MAX_ANSWER_TOKENS, step: 64, shown: DEFAULTS.maxTokens },
  { name: 'temperature', min: 0, max: MAX_ASKED_TEMPERATURE, step: 0.1, shown: DEFAULTS.temperature },
  { name: 'topP', min: 0, max: 1, step: 0.05, shown: DEFAULTS.topP },
  { name: 'topK', min: 0, max: MAX_TOP_K, step: 1, shown: DEFAULTS.topK },
  { name: 'repeatPenalty', min: 0.1, max: MAX_REPEAT_PENALTY, step: 0.05, shown: DEFAULTS.repeatPenalty },
  { name: 'seed', min: 0, max: MAX_SEED, step: 1, shown: undefined },
] as const;

/** How answers are made: kept with the conversation. */
export function ParametersDrawer({ opened, options, onChange, onClose }: ParametersDrawerProps) {
  const { t } = useTranslation('playground');
  return (
    <Drawer opened={opened} onClose={onClose} position="right" title={t('parameters.title')}>
      <Fields options={options} onChange={onChange} />
    </Drawer>
  );
}

function Fields({ options, onChange }: Pick<ParametersDrawerProps, 'options' | 'onChange'>) {
  const { t } = useTranslation('playground');
  const [draft, setDraft] = useState(options);
  const save = useDebouncedCallback(onChange, { delay: 400, flushOnUnmount: true });
  const change = (next: AskOptions) => {
    setDraft(next);
    save(next);
  };
  return (
    <Stack>
      <Textarea
        label={t('parameters.system')}
        description={t('parameters.systemExplain')}
        value={draft.system ?? ''}
        onChange={(event) => change({ ...draft, system: event.currentTarget.value || undefined })}
        maxLength={MAX_SYSTEM_CHARS}
        autosize
        minRows={3}
        maxRows={10}
      />
      {NUMBERS.map(({ name, shown, ...bounds }) => (
        <NumberInput
          key={name}
          label={t(`parameters.${name}`)}
          description={t(`parameters.${name}Explain`)}
          placeholder={shown?.toString() ?? t('parameters.random')}
          value={draft[name] ?? ''}
          onChange={(value) => change({ ...draft, [name]: typeof value === 'number' ? value : undefined })}
          clampBehavior="strict"
          allowDecimal={bounds.step < 1}
          {...bounds}
        />
      ))}
      <Button variant="default" onClick={() => change({ target: draft.target, model: draft.model })}>
        {t('parameters.reset')}
      </Button>
    </Stack>
  );
}
