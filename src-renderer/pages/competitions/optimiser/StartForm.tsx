import { Button, NumberInput, Textarea } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import {
  LEAST_TOKENS,
  MOST_ITERATIONS,
  MOST_REPAIRS,
  MOST_SOURCE_BYTES,
  MOST_TOKENS,
} from '../../../../src-preload/contract/optimiser-numbers.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { Section } from '../../../components/Section.tsx';
import classes from './optimiser.module.css';
import { changeStart, namesWriter, type StartDraft, useStartDraft, wishOf } from './start-draft.ts';
import { refreshRuns, showRun, useRuns } from './use-optimiser.ts';
import { Writer } from './Writer.tsx';

/** Who is to write, for how long, and what it begins with. */
export function StartForm() {
  const { t } = useTranslation('optimiser');
  const draft = useStartDraft();
  const running = useRuns().all?.find(({ state }) => state === 'running');
  const start = useMutation(
    api.optimiser.start.mutationOptions({
      onSuccess: ({ id }) => {
        showRun(id);
        return refreshRuns();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate(wishOf(draft));
  };
  return (
    <PageBody>
      <form onSubmit={submit}>
        <Section title={t('form.writer')} description={t('form.writerMeans')}>
          <Writer target={draft.target} />
        </Section>
        <Section title={t('form.howLong')}>
          <div className={classes.fields}>
            <Amount draft={draft} name="iterations" min={1} max={MOST_ITERATIONS} />
            <Amount draft={draft} name="plateau" min={1} max={MOST_ITERATIONS} />
            <Amount draft={draft} name="repairs" min={0} max={MOST_REPAIRS} />
            <Amount draft={draft} name="tokens" min={LEAST_TOKENS} max={MOST_TOKENS} />
          </div>
        </Section>
        <Section title={t('form.source')}>
          <Textarea
            aria-label={t('form.source')}
            description={t('form.sourceMeans')}
            placeholder="export function step(…): void { … }"
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            autosize
            minRows={5}
            maxRows={18}
            maxLength={MOST_SOURCE_BYTES}
            spellCheck={false}
            value={draft.source}
            onChange={(event) => changeStart({ source: event.currentTarget.value })}
          />
        </Section>
        <div className={classes.end}>
          <ErrorNote error={start.error} />
          {running ? (
            <Note
              title={t('form.another')}
              actions={
                <Button size="xs" variant="default" onClick={() => showRun(running.id)}>
                  {t('form.showIt')}
                </Button>
              }
            >
              {t('form.anotherMeans')}
            </Note>
          ) : (
            <Button
              type="submit"
              leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />}
              loading={start.isPending}
              disabled={!namesWriter(draft.target)}
            >
              {t('form.start')}
            </Button>
          )}
        </div>
      </form>
    </PageBody>
  );
}

interface AmountProps {
  draft: StartDraft;
  name: 'iterations' | 'plateau' | 'repairs' | 'tokens';
  min: number;
  max: number;
}

function Amount({ draft, name, min, max }: AmountProps) {
  const { t } = useTranslation('optimiser');
  return (
    <NumberInput
      label={t(`form.${name}`)}
      description={t(`form.${name}Means`)}
      {...{ min, max }}
      clampBehavior="blur"
      allowDecimal={false}
      value={draft[name]}
      onChange={(value) => typeof value === 'number' && changeStart({ [name]: value })}
    />
  );
}
