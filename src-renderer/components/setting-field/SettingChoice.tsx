import { Input, NativeSelect, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { knownText } from '../../i18n/known-text.ts';
import { type ControlProps, inputProps } from './control.ts';

/** One of a few texts; saved at once. @param segmented all of them beside each other instead of a list to open */
export function SettingChoice({ segmented = false, ...props }: ControlProps & { segmented?: boolean | undefined }) {
  const { t } = useTranslation('settings');
  const { setting, save } = props.field;
  const names = t('choice', { returnObjects: true }) as Record<string, string>;
  const options = (setting.choices ?? []).map((value) => ({ value, label: knownText(names, value) }));
  const value = String(setting.value ?? '');
  const { disabled, ...wrapper } = inputProps(props);
  if (!segmented) {
    return (
      <NativeSelect
        {...wrapper}
        disabled={disabled}
        data={options}
        value={value}
        onChange={(event) => save(event.currentTarget.value)}
        styles={{ wrapper: { maxWidth: 400 } }}
      />
    );
  }
  return (
    <Input.Wrapper {...wrapper} labelElement="div">
      <div>
        <SegmentedControl aria-label={props.label} data={options} value={value} disabled={disabled} onChange={save} />
      </div>
    </Input.Wrapper>
  );
}
