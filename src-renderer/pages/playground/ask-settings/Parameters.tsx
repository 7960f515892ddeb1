import { Button, Collapse, NumberInput, Slider, Stack, Textarea } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { memo, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../../src-preload/contract/conversations.ts';
import { DEFAULTS } from '../../../../src-preload/contract/defaults.ts';
import {
  MAX_ASKED_TEMPERATURE,
  MAX_REPEAT_PENALTY,
  MAX_SEED,
  MAX_SYSTEM_CHARS,
  MAX_TOP_K,
} from '../../../../src-preload/contract/limits.ts';
import { Block } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../playground.module.css';
import { Presets } from './Presets.tsx';
import { withPreset } from './preset-choice.ts';

interface ParametersProps {
  options: AskOptions;
  onChange: (options: AskOptions) => void;
}

/** Lengths of an answer that the slider offers, in tokens. */
const LENGTHS = [64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768];

/** Within the contract's bounds; the default in grey. */
const NUMBERS = [
  { name: 'topK', min: 0, max: MAX_TOP_K, step: 1, shown: DEFAULTS.topK },
  { name: 'repeatPenalty', min: 0.1, max: MAX_REPEAT_PENALTY, step: 0.05, shown: DEFAULTS.repeatPenalty },
  { name: 'seed', min: 0, max: MAX_SEED, step: 1, shown: undefined },
] as const;

/** How answers are made. What is drawn or typed is shown at once, and kept a moment later. An answer that ends leaves it as it is. */
export const Parameters = memo(function Parameters({ options, onChange }: ParametersProps) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const [draft, setDraft] = useState(options);
  const [moreShown, more] = useDisclosure();
  const save = useDebouncedCallback(onChange, { delay: 400, flushOnUnmount: true });
  useEffect(() => setDraft(options), [options]); // chosen elsewhere, or brought from main
  const change = (next: AskOptions) => {
    setDraft(next);
    save(next);
  };
  const length = draft.maxTokens ?? DEFAULTS.maxTokens;
  const temperature = draft.temperature ?? DEFAULTS.temperature;
  const topP = draft.topP ?? DEFAULTS.topP;
  return (
    <>
      <Block>
        <Drawn
          label={t('parameters.maxTokens')}
          value={t('tokens', { count: length, formatted: format.number(length) })}
        >
          <Slider
            thumbLabel={t('parameters.maxTokens')}
            label={null}
            size={4}
            thumbSize={16}
            min={0}
            max={LENGTHS.length - 1}
            value={placeOf(length)}
            onChange={(place) => change({ ...draft, maxTokens: LENGTHS[place] })}
          />
        </Drawn>
      </Block>
      <Block>
        <Presets options={draft} onChange={change} />
      </Block>
      <Block>
        <Textarea
          label={t('parameters.system')}
          placeholder={t('parameters.systemExplain')}
          value={draft.system ?? ''}
          onChange={(event) => change({ ...draft, system: event.currentTarget.value || undefined })}
          maxLength={MAX_SYSTEM_CHARS}
          autosize
          minRows={3}
          maxRows={10}
        />
      </Block>
      <Block>
        <Stack gap={14}>
          <Drawn
            label={t('parameters.temperature')}
            value={format.number(temperature, 2)}
            explain={t('parameters.temperatureExplain')}
          >
            <Slider
              thumbLabel={t('parameters.temperature')}
              label={null}
              size={4}
              thumbSize={16}
              min={0}
              max={MAX_ASKED_TEMPERATURE}
              step={0.05}
              value={temperature}
              onChange={(value) => change({ ...draft, temperature: value })}
            />
          </Drawn>
          <Drawn label={t('parameters.topP')} value={format.number(topP, 2)} explain={t('parameters.topPExplain')}>
            <Slider
              thumbLabel={t('parameters.topP')}
              label={null}
              size={4}
              thumbSize={16}
              min={0}
              max={1}
              step={0.01}
              value={topP}
              onChange={(value) => change({ ...draft, topP: value })}
            />
          </Drawn>
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            justify="flex-start"
            px={0}
            leftSection={
              moreShown ? <IconChevronDown size={15} aria-hidden /> : <IconChevronRight size={15} aria-hidden />
            }
            aria-expanded={moreShown}
            onClick={more.toggle}
          >
            {t('parameters.more')}
          </Button>
          <Collapse expanded={moreShown}>
            <Stack gap={14}>
              {NUMBERS.map(({ name, shown, ...bounds }) => (
                <NumberInput
                  key={name}
                  label={t(`parameters.${name}`)}
                  description={t(`parameters.${name}Explain`)}
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  placeholder={shown?.toString() ?? t('parameters.random')}
                  value={draft[name] ?? ''}
                  onChange={(value) => change({ ...draft, [name]: typeof value === 'number' ? value : undefined })}
                  clampBehavior="strict"
                  allowDecimal={bounds.step < 1}
                  {...bounds}
                />
              ))}
              <Button variant="default" onClick={() => change(withPreset(draft, { options: {} }))}>
                {t('parameters.reset')}
              </Button>
            </Stack>
          </Collapse>
        </Stack>
      </Block>
    </>
  );
});

interface DrawnProps {
  label: string;
  value: string;
  explain?: string;
  /** The slider. */
  children: ReactNode;
}

/** A slider with its name at the left, its value at the right, and what it means below. */
function Drawn({ label, value, explain, children }: DrawnProps) {
  return (
    <div className={classes.drawn}>
      <div>
        <b>{label}</b>
        <span className="num">{value}</span>
      </div>
      {children}
      {explain && <p>{explain}</p>}
    </div>
  );
}

/** The place of a length on the slider; of one that is not on it, that of the next longer one. */
function placeOf(length: number): number {
  const place = LENGTHS.findIndex((one) => one >= length);
  return place < 0 ? LENGTHS.length - 1 : place;
}
