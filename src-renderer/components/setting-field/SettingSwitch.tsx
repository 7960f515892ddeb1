import { Switch } from '@mantine/core';
import { type ControlProps, inputProps } from './control.ts';

/** On or off; saved at once. */
export function SettingSwitch(props: ControlProps) {
  const { setting, save } = props.field;
  return (
    <Switch
      {...inputProps(props)}
      checked={setting.value === true}
      onChange={(event) => save(event.currentTarget.checked)}
    />
  );
}
