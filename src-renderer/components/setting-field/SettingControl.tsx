import { Box, Skeleton } from '@mantine/core';
import type { Setting } from '../../../src-preload/contract/settings.ts';
import type { ControlProps } from './control.ts';
import { SettingChoice } from './SettingChoice.tsx';
import { SettingList } from './SettingList.tsx';
import { SettingMarks } from './SettingMarks.tsx';
import { SettingNumber } from './SettingNumber.tsx';
import { SettingSecret } from './SettingSecret.tsx';
import { SettingSwitch } from './SettingSwitch.tsx';
import { SettingText } from './SettingText.tsx';
import { useSettingField } from './useSettingField.ts';

/** How a field is shown, beside what its setting says. */
export interface ControlShape {
  /** For numbers, see {@link SettingNumber}. */
  scale?: number | undefined;
  unit?: string | undefined;
  /** What stands in an empty field. */
  empty?: string | undefined;
  /** For choices: all of them side by side. */
  segmented?: boolean | undefined;
}

type SettingControlProps = ControlShape & Omit<ControlProps, 'field'> & { path: string };

/** The field of any setting, with what there is to know about it. */
export function SettingControl({ path, ...shape }: SettingControlProps) {
  const field = useSettingField(path);
  if (!field) return <Skeleton h={56} />;
  return (
    <Box>
      <Control field={field} {...shape} />
      <SettingMarks field={field} label={shape.label} />
    </Box>
  );
}

function Control({ scale, unit, empty, segmented, ...props }: ControlProps & ControlShape) {
  switch (kindOf(props.field.setting)) {
    case 'secret':
      return <SettingSecret {...props} />;
    case 'choice':
      return <SettingChoice {...props} segmented={segmented} />;
    case 'switch':
      return <SettingSwitch {...props} />;
    case 'number':
      return <SettingNumber {...props} scale={scale} unit={unit} empty={empty} />;
    case 'list':
      return <SettingList {...props} />;
    case 'string':
      return <SettingText {...props} empty={empty} />;
  }
}

function kindOf({ secret, choices, type }: Setting): Setting['type'] | 'secret' | 'choice' {
  if (secret) return 'secret';
  return choices ? 'choice' : type;
}
