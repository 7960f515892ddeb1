import { Checkbox, Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DataSource } from '../../../../src-preload/contract/data.ts';
import type { SourceKind } from '../../../../src-preload/contract/data-names.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../data.module.css';
import { SwitchOn } from '../SwitchOn.tsx';
import { canBeAsked } from '../use-data.ts';

interface SourceChoiceProps {
  all: readonly DataSource[] | undefined;
  chosen: readonly SourceKind[];
  error: string | undefined;
  onChange: (chosen: SourceKind[]) => void;
}

/** Those that can be asked can be chosen; what the others lack stands below them, and what is off can be switched on. */
export function SourceChoice({ all, chosen, error, onChange }: SourceChoiceProps) {
  const { t } = useTranslation('data');
  if (!all) return <Skeleton h={120} />;
  return (
    <Checkbox.Group
      label={t('order.sources')}
      error={error}
      value={[...chosen]}
      onChange={(values) => onChange(all.map(({ kind }) => kind).filter((kind) => values.includes(kind)))}
    >
      <Stack gap="xs" mt={4} mb={4}>
        {all.map((source) => (
          <div key={source.kind}>
            <Checkbox
              value={source.kind}
              label={t(`source.${source.kind}`)}
              description={aboutText(source) ?? t('sources.off')}
              disabled={!canBeAsked(source)}
            />
            {!source.isOn && (
              <div className={classes.belowChoice}>
                <SwitchOn source={source} />
              </div>
            )}
          </div>
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** Of one that is on: what it lacks, else what whoever asks it agrees to. */
function aboutText({ isOn, lacks, terms }: DataSource): string | undefined {
  if (!isOn) return undefined;
  const words = lacks ?? terms;
  return words ? worded(words, 'text') : '';
}
