import { Checkbox, Input, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Hardware } from '../../../../src-preload/contract/node.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { SettingField } from '../../../components/setting-field/SettingField.tsx';
import { SettingMarks } from '../../../components/setting-field/SettingMarks.tsx';
import { useSettingField } from '../../../components/setting-field/useSettingField.ts';
import { worded } from '../../../i18n/worded.ts';
import { gpuChoice } from './gpu-choice.ts';

const PATH = 'engine.gpus';
type Gpu = NonNullable<Hardware['gpus']['value']>[number];

/** Which GPUs the engine may use, where there are several; each change is saved at once. */
export function ChosenGpus() {
  const { t } = useTranslation('settings');
  const field = useSettingField(PATH);
  const { data: hardware } = useAnswer(api.node.hardware.queryOptions());
  if (!field) return null;
  const { setting, held, error, save } = field;
  const set = (setting.value as string[] | undefined) ?? [];
  const label = t(`field.${PATH}.label`);
  const devices = (hardware?.gpus.value ?? []).filter(({ backend }) => backend).flatMap(namesOf);
  const choice = gpuChoice(devices, set);
  if (!choice && set.length > 0) return <SettingField path={PATH} />; // ids are typed
  if (!choice) return hardware ? <NoChoice label={label} name={devices[0]} leftOut={hardware.gpus.leftOut} /> : null;
  return (
    <div>
      <Checkbox.Group
        label={label}
        description={error ? undefined : t(`field.${PATH}.help`)}
        error={error}
        value={choice.picked}
        onChange={(picked) => save(choice.valueOf(picked))}
      >
        <Stack gap={8} my={4}>
          {devices.map((name, number) => (
            <Checkbox
              key={number}
              value={String(number)}
              label={name}
              disabled={held || (choice.picked.length === 1 && choice.picked[0] === String(number))}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <SettingMarks field={field} label={label} />
    </div>
  );
}

function namesOf({ name, devices = [name] }: Gpu): string[] {
  return devices;
}

interface NoChoiceProps {
  label: string;
  /** The only card that models can use; undefined where there is none. */
  name: string | undefined;
  leftOut: Hardware['gpus']['leftOut'];
}

/** Says what there is instead of a choice. */
function NoChoice({ label, name, leftOut = [] }: NoChoiceProps) {
  const { t } = useTranslation('settings');
  const said = leftOut.map((one) => t('engine.leftOut', { name: one.name, reason: worded(one, 'reason') }));
  return (
    <Input.Wrapper label={label} labelElement="div" description={said.join(' ')}>
      <Text size="sm">{name === undefined ? t('engine.noGpu') : t('engine.oneGpu', { name })}</Text>
    </Input.Wrapper>
  );
}
