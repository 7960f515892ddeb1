import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/format.ts';
import { contextSteps } from './context-steps.ts';
import { FitSlider } from './FitSlider.tsx';
import type { FitAt } from './use-fit-at.ts';

/** Less is not worth telling, and no estimate is more exact. */
const LEAST_FREED = 50_000_000;

interface ContextSizeProps {
  /** Tokens that the model takes at most. */
  most: number;
  at: FitAt;
}

/** How much text the model sees at once, and what memory that takes. */
export function ContextSize({ most, at: { fit, contextSize = 0, tryOut } }: ContextSizeProps) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const half = Math.round((fit?.room.cache ?? 0) / 2 / LEAST_FREED) * LEAST_FREED;
  const steps = contextSteps(most, contextSize);
  const isLeast = contextSize <= (steps[0] ?? 0);
  return (
    <div>
      <FitSlider
        title={t('context.title')}
        steps={steps}
        value={contextSize}
        written={(tokens) => t('context.tokens', { tokens: format.number(tokens) })}
        onChoose={(tokens) => tryOut({ contextSize: tokens })}
      />
      {half >= LEAST_FREED && !isLeast && (
        <Text size="xs" c="dimmed" mt={10}>
          {t('context.half', { freed: format.bytes(half) })}
        </Text>
      )}
    </div>
  );
}
