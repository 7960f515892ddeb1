import { Badge, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PolicyView } from '../../../src-preload/contract/node.ts';
import { worded } from '../../i18n/worded.ts';
import { useNode } from '../../state/node.ts';

const COLOURS = { off: 'gray', clear: 'green', met: 'yellow', unknown: 'gray' } as const;

/** How a rule of the load policy stands at this moment; nothing on a node without one. */
export function RuleState({ rule: name }: { rule: PolicyView['rules'][number]['rule'] }) {
  const { t } = useTranslation('settings');
  const rule = useNode(({ status }) => status?.policy?.rules.find((one) => one.rule === name));
  if (!rule) return null;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Badge color={COLOURS[rule.state]} variant="light" style={{ flexShrink: 0 }}>
        {t(`policy.state.${rule.state}`)}
      </Badge>
      <Text size="sm" c="dimmed">
        {worded(rule, 'text')}
      </Text>
    </Group>
  );
}
