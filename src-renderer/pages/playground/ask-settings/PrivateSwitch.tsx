import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../../src-preload/contract/conversations.ts';
import { Block } from '../../../components/page/Inspector.tsx';
import { SwitchRow } from '../../../components/setting-field/SwitchRow.tsx';

interface PrivateSwitchProps {
  options: AskOptions;
  onChange: (options: AskOptions) => void;
}

/** Whether the model may learn from the conversation. An answer that ends leaves it as it is. */
export const PrivateSwitch = memo(function PrivateSwitch({ options, onChange }: PrivateSwitchProps) {
  const { t } = useTranslation('playground');
  return (
    <Block>
      <SwitchRow
        label={t('private.label')}
        description={t('private.explain')}
        checked={options.private ?? false}
        onChange={(event) => onChange({ ...options, private: event.currentTarget.checked || undefined })}
      />
    </Block>
  );
});
