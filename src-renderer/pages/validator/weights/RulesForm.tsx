import { Button, NumberInput, Select, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LAYER_RULES, PRESET_NAMES } from '../../../../src-preload/contract/validator-names.ts';
import { tellError } from '../../../components/errors/tell-error.ts';
import { useSetSettings } from '../../../state/settings.ts';
import type { Weighing } from '../use-weights.ts';
import classes from '../validator.module.css';

const [USUAL_PRESET] = PRESET_NAMES;

/** Whether two choices are the same rules. */
export function isSame(one: Weighing, other: Weighing): boolean {
  const presets = [one, other].map(({ preset }) => preset ?? USUAL_PRESET);
  return presets[0] === presets[1] && one.layers === other.layers && one.burn === other.burn;
}

/** By which rules results become weights: what is chosen is shown at once. */
export function RulesForm({ rules, onTry }: { rules: Weighing; onTry: (rules: Weighing) => void }) {
  const { t } = useTranslation('validator');
  const preset = PRESET_NAMES.find((name) => name === rules.preset) ?? USUAL_PRESET;
  return (
    <div className={classes.form}>
      <Select
        label={t('weights.preset')}
        description={t(`weights.presets.${preset}.means`)}
        value={preset}
        onChange={(value) => onTry({ ...rules, preset: value ?? undefined })}
        allowDeselect={false}
        data={PRESET_NAMES.map((value) => ({ value, label: t(`weights.presets.${value}.name`) }))}
      />
      <div className={classes.pair}>
        <Select
          label={t('weights.layers')}
          placeholder={t('weights.usual')}
          value={rules.layers ?? null}
          onChange={(value) => onTry({ ...rules, layers: LAYER_RULES.find((one) => one === value) })}
          clearable
          data={LAYER_RULES.map((value) => ({ value, label: t(`weights.layer.${value}`) }))}
        />
        <NumberInput
          label={t('weights.burn')}
          suffix=" %"
          min={0}
          max={100}
          decimalScale={2}
          value={Math.round(rules.burn * 10_000) / 100}
          onChange={(value) => onTry({ ...rules, burn: Math.min(100, Math.max(0, Number(value) || 0)) / 100 })}
        />
      </div>
    </div>
  );
}

/** That the rules shown are not those that are set, and the ways to keep them and to go back. */
export function TriedRules({ rules, onDone }: { rules: Weighing; onDone: () => void }) {
  const { t } = useTranslation('validator');
  const save = useSetSettings();
  const keep = () =>
    save.mutate(
      {
        changes: {
          'validator.preset': rules.preset ?? null,
          'validator.layers': rules.layers ?? null,
          'validator.burn': rules.burn,
        },
      },
      { onSuccess: onDone, onError: (error) => tellError(error) },
    );
  return (
    <>
      <Text size="sm" c="var(--q-ink-2)" role="status">
        {t('weights.tried')}
      </Text>
      <Button size="xs" loading={save.isPending} onClick={keep}>
        {t('weights.keep')}
      </Button>
      <Button size="xs" variant="default" onClick={onDone}>
        {t('weights.back')}
      </Button>
    </>
  );
}
