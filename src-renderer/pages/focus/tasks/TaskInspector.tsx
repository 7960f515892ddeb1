import { Button, Text } from '@mantine/core';
import { IconPlayerRecordFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { FocusTask } from '../../../../src-preload/contract/focus-tasks.ts';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { chooseTask } from '../record/draft.ts';
import { Boost } from './Boost.tsx';

/** Everything about a task, and how it is recorded. */
export function TaskInspector({ task }: { task: FocusTask }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const [, navigate] = useLocation();
  const { kind, title, description, reason, field, multiplier, validUntil, recorded } = task;
  return (
    <Inspector title={title} description={t(`tasks.from.${kind}`)}>
      {multiplier !== 1 && (
        <Block>
          <Boost multiplier={multiplier} />
          <Text size="sm" mt={6}>
            {t('tasks.boostWhat')}
          </Text>
        </Block>
      )}
      {description && (
        <Block title={t('tasks.todo')}>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {description}
          </Text>
        </Block>
      )}
      {reason && (
        <Block title={t('tasks.why')}>
          <Text size="sm">{reason}</Text>
        </Block>
      )}
      <Block>
        <Facts
          facts={[
            [t('tasks.field'), field && t(`tasks.fields.${field}`)],
            [t('tasks.recorded'), format.number(recorded)],
            [t('tasks.until'), validUntil !== null && format.time(validUntil)],
          ]}
        />
      </Block>
      <Block>
        <Button
          fullWidth
          leftSection={<IconPlayerRecordFilled size={15} aria-hidden />}
          onClick={() => {
            chooseTask(task);
            navigate('/focus');
          }}
        >
          {t('tasks.record')}
        </Button>
      </Block>
    </Inspector>
  );
}
