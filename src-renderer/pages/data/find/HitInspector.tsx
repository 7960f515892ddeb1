import { Button, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { SearchHit } from '../../../../src-preload/contract/data.ts';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../data.module.css';
import { ProvenanceBlock } from '../ProvenanceBlock.tsx';
import { useFindView } from './find-view.ts';
import { useEnqueue } from './use-find.ts';

/** Everything that a source says of a video, and whether clips may be made of it. */
export function HitInspector({ hit }: { hit: SearchHit }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const asked = useFindView((view) => view.asked);
  const enqueue = useEnqueue();
  const { source, id, title, description, seconds, bytes, unusable, isKnown } = hit;
  return (
    <Inspector title={title}>
      <Block>
        <Stack gap="xs">
          {unusable && (
            <Note state="error" icon={IconX} title={t('find.notMeans')}>
              {worded(unusable, 'text')}
            </Note>
          )}
          {!unusable && asked && (
            <Button
              variant="default"
              disabled={isKnown}
              loading={enqueue.isPending}
              onClick={() => enqueue.mutate({ videos: [{ source, id }], topic: asked.topic })}
            >
              {t(isKnown ? 'find.here' : 'find.enqueueIt')}
            </Button>
          )}
          <ErrorNote error={enqueue.error} />
        </Stack>
      </Block>
      {description && (
        <Block>
          <Text size="sm" className={classes.whole}>
            {description}
          </Text>
        </Block>
      )}
      <Block>
        <Facts
          facts={[
            [t('find.length'), seconds === null ? t('find.notSaid') : lengthText(seconds * 1_000)],
            [t('find.size'), bytes === null ? t('find.notSaid') : format.bytes(bytes)],
          ]}
        />
      </Block>
      <ProvenanceBlock of={hit} />
    </Inspector>
  );
}
