import { Button, Stack } from '@mantine/core';
import { IconArrowsDiff, IconCheck, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdapterVersion, ListedVersion } from '../../../../src-preload/contract/learning-versions.ts';
import { shortId } from '../../../../src-preload/contract/limits.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../learning.module.css';
import { HowItWent } from '../overview/Learnt.tsx';
import { Quotes } from '../Quotes.tsx';
import { refreshLearning } from '../use-learning.ts';
import { CompareDialog } from './CompareDialog.tsx';
import { ExportVersion } from './ExportVersion.tsx';
import { measuredOf } from './measured.ts';
import { RemoveDialog } from './RemoveDialog.tsx';
import { ShareVersion } from './ShareVersion.tsx';
import { useOtherBase } from './use-versions.ts';
import { versionName } from './version-name.ts';

interface VersionInspectorProps {
  version: ListedVersion;
  /** With which it can be compared; it may be among them. */
  others: readonly AdapterVersion[];
}

/** Everything about a version, and what can be done with it. */
export function VersionInspector({ version, others }: VersionInspectorProps) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const [dialog, setDialog] = useState<'compare' | 'remove'>();
  const use = useMutation(api.learning.use.mutationOptions({ onSettled: refreshLearning }));
  const otherBase = useOtherBase(version.name);
  const { id, at, origin, from, inUse, rank, alpha, modules, bytes, sha256, run } = version;
  const measured = measuredOf(version);
  const share = (value: number | undefined) => value !== undefined && format.percent(value);
  const close = () => setDialog(undefined);
  return (
    <Inspector title={versionName(version)} description={`${format.time(at)} · ${t(`origin.${origin}`)}`}>
      {run !== null && (
        <Block title={t('versions.learnt')}>
          <FromRun id={run} />
        </Block>
      )}
      <Block>
        <Stack gap="xs">
          {inUse ? (
            <p className={classes.text}>
              {otherBase === undefined ? t('versions.isInUse') : t('versions.isInUseWith', { model: otherBase })}
            </p>
          ) : (
            <Button
              leftSection={<IconCheck size={15} stroke={1.6} aria-hidden />}
              loading={use.isPending}
              onClick={() => use.mutate({ version: id })}
            >
              {t('versions.use')}
            </Button>
          )}
          <ErrorNote error={use.error} />
          <Button
            variant="default"
            disabled={others.length < 2}
            leftSection={<IconArrowsDiff size={15} stroke={1.6} aria-hidden />}
            onClick={() => setDialog('compare')}
          >
            {t('compare.open')}
          </Button>
        </Stack>
      </Block>
      <Block>
        <Facts
          facts={[
            [t('measure.compliance'), share(measured.compliance)],
            [t('measure.capability'), share(measured.capability)],
            [t('versions.size'), format.bytes(bytes)],
            [t('versions.rank'), `${format.number(rank)} · alpha ${format.number(alpha, 1)}`],
            [t('versions.modules'), format.list(modules)],
            [t('versions.vouched'), from !== null && <code key="from">{shortId(from)}</code>],
            [t('versions.id'), <code key="id">{id}</code>],
            ['SHA-256', <code key="sha">{sha256.slice(0, 16)}…</code>],
          ]}
        />
      </Block>
      <Block title={t('share.block')}>
        <ShareVersion version={version} />
      </Block>
      <Block title={t('export.title')}>
        <ExportVersion id={id} />
      </Block>
      <Block>
        <Button
          variant="default"
          c="var(--q-error)"
          leftSection={<IconTrash size={15} stroke={1.6} aria-hidden />}
          onClick={() => setDialog('remove')}
        >
          {t('remove.open')}
        </Button>
      </Block>
      {dialog === 'compare' && <CompareDialog version={version} others={others} onClose={close} />}
      <RemoveDialog version={dialog === 'remove' ? version : undefined} onClose={close} />
    </Inspector>
  );
}

/** What it learnt beyond the version before. */
function FromRun({ id }: { id: string }) {
  const { data, error } = useAnswer(api.learning.run.queryOptions({ input: { id } }));
  if (!data) return <ErrorNote error={error} />;
  return (
    <>
      <Quotes feedback={data.feedback} />
      <p className={classes.meta}>
        <HowItWent id={id} />
      </p>
    </>
  );
}
