import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PolicyView } from '../../../src-preload/contract/node.ts';
import { useNode } from '../../state/node.ts';

/** When mining steps back for whoever uses this computer, in a sentence. */
export function PolicySentence() {
  const { t, i18n } = useTranslation('welcome');
  const rules = useNode(({ status }) => status?.policy?.rules);
  if (!rules) return null;
  const list = new Intl.ListFormat(i18n.language, { type: 'disjunction' });
  const when = (action: Action) =>
    list.format(rules.filter((one) => one.action === action).map(({ rule }) => t(`policy.rule.${rule}`)));
  const parts = { pauses: when('pause'), slows: when('throttle') };
  const sentence = parts.pauses ? (parts.slows ? 'both' : 'pauses') : parts.slows ? 'slows' : 'none';
  return <Text>{[t(`policy.${sentence}`, parts), t('policy.settings')].join(' ')}</Text>;
}

type Action = PolicyView['rules'][number]['action'];
