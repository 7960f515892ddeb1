import { IconPlayerPauseFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PolicyView } from '../../../../src-preload/contract/node.ts';
import { StateChip } from '../../../components/StateChip.tsx';
import { worded } from '../../../i18n/worded.ts';
import { useNode } from '../../../state/node.ts';
import { Fields, FormSection } from '../fields/Fields.tsx';
import classes from '../settings.module.css';
import { QuietHours } from './QuietHours.tsx';

type Rule = PolicyView['rules'][number]['rule'];

/** When this computer works less for others, or not at all: a section a rule. */
export function PolicySection() {
  const { t } = useTranslation('settings');
  return (
    <>
      <RuleSection rule="user" of="user" />
      <RuleSection rule="battery" of="battery" />
      <RuleSection rule="gpu" of="gpu" />
      <RuleSection rule="heat" of="heat" />
      <RuleSection rule="quiet-hours" of="quiet">
        <QuietHours />
      </RuleSection>
      <FormSection title={t('policy.busy.title')}>
        <Fields of="busy" />
      </FormSection>
    </>
  );
}

interface RuleSectionProps {
  rule: Rule;
  of: 'user' | 'battery' | 'gpu' | 'heat' | 'quiet';
  children?: ReactNode;
}

/** A rule, how it stands at this moment, and what can be set about it. */
function RuleSection({ rule: name, of, children }: RuleSectionProps) {
  const { t } = useTranslation('settings');
  const rule = useNode(({ status }) => status?.policy?.rules.find((one) => one.rule === name));
  return (
    <FormSection title={t(`policy.${of}.title`)} help={t(`policy.${of}.help`)} aside={rule && <RuleState {...rule} />}>
      <Fields of={of} />
      {children}
    </FormSection>
  );
}

const LOOKS = {
  off: { state: 'idle' },
  clear: { state: 'idle' },
  met: { state: 'pause', icon: IconPlayerPauseFilled },
  unknown: { state: 'idle' },
} as const;

function RuleState(rule: PolicyView['rules'][number]) {
  const { t } = useTranslation('settings');
  return (
    <>
      {rule.said?.text?.key !== 'policy.off' && <span className={classes.now}>{worded(rule, 'text')}</span>}
      <StateChip {...LOOKS[rule.state]}>{t(`policy.state.${rule.state}`)}</StateChip>
    </>
  );
}
