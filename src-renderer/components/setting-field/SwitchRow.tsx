import { Switch, type SwitchProps } from '@mantine/core';
import classes from './setting-field.module.css';

/** What is switched at the left, the switch at the right. */
export function SwitchRow(props: SwitchProps) {
  return (
    <Switch
      labelPosition="left"
      classNames={{ body: classes.switch ?? '' }}
      styles={{ label: { fontWeight: 550 }, description: { fontSize: 12 } }}
      {...props}
    />
  );
}
