import { Checkbox, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { SettingField } from '../../components/setting-field/SettingField.tsx';
import { SettingMarks } from '../../components/setting-field/SettingMarks.tsx';
import { useSettingField } from '../../components/setting-field/useSettingField.ts';
import { gpuChoice } from './gpu-choice.ts';

const PATH = 'engine.gpus';

/** Which GPUs the engine may use, where there are several; each change is saved at once. */
export function ChosenGpus() {
  const { t } = useTranslation('settings');
  const field = useSettingField(PATH);
  const { data: hardware } = useAnswer(api.node.hardware.queryOptions());
  if (!field) return null;
  const { setting, held, error, save } = field;
  const set = (setting.value as string[] | undefined) ?? [];
  const devices = (hardware?.gpus.value ?? []).flatMap((gpu) => gpu.devices ?? [gpu.name]);
  const choice = gpuChoice(devices, set);
  if (!choice) return set.length > 0 ? <SettingField path={PATH} /> : null; // one GPU is no choice; ids are typed
  const label = t(`field.${PATH}.label`);
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
