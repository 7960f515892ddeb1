import { Button, Group, Slider, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useSetSettings } from '../../state/settings.ts';
import { contextSteps } from './context-steps.ts';
import type { FitAt } from './use-fit-at.ts';

/** Less is not worth telling, and no estimate is more exact. */
const LEAST_FREED = 50_000_000;

interface ContextSizeProps {
  /** Tokens that the model takes at most. */
  most: number;
  at: FitAt;
}

/** How much text the model sees at once, and what memory that takes. Tried here, then kept for every model. */
export function ContextSize({ most, at: { fit, contextSize = 0, changed, setContextSize } }: ContextSizeProps) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const id = useId();
  const steps = contextSteps(most, contextSize);
  const [held, hold] = useState<number>();
  const set = useSetSettings();
  const shown = steps[held ?? steps.indexOf(contextSize)] ?? contextSize;
  const tokens = t('context.tokens', { tokens: format.number(shown) });
  const half = Math.round((fit?.room.cache ?? 0) / 2 / LEAST_FREED) * LEAST_FREED;
  return (
    <>
      <Group justify="space-between" mb={10} wrap="nowrap">
        <Text size="sm" fw={550} id={id}>
          {t('context.title')}
        </Text>
        <Text size="sm" className="num">
          {tokens}
        </Text>
      </Group>
      <Slider
        aria-labelledby={id}
        thumbLabel={t('context.title')}
        size={4}
        thumbSize={16}
        label={null}
        min={0}
        max={steps.length - 1}
        value={held ?? steps.indexOf(contextSize)}
        onChange={hold}
        onChangeEnd={(step) => {
          hold(undefined);
          setContextSize(steps[step] ?? contextSize);
        }}
        scale={(step) => steps[step] ?? 0}
      />
      {half >= LEAST_FREED && (
        <Text size="xs" c="dimmed" mt={10}>
          {t('context.half', { freed: format.bytes(half) })}
        </Text>
      )}
      {changed && (
        <Button
          size="xs"
          variant="default"
          mt={8}
          loading={set.isPending}
          onClick={() => set.mutate({ changes: { contextSize } })}
        >
          {t('context.keep')}
        </Button>
      )}
      <ErrorNote error={set.error} />
    </>
  );
}
