import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Provenance, VideoRef } from '../../../src-preload/contract/data.ts';
import { CopyIcon } from '../../components/copy/CopyIcon.tsx';
import { Block, Facts } from '../../components/page/Inspector.tsx';
import classes from './data.module.css';
import { OutLink } from './OutLink.tsx';

/** Who made it, under what it may be used, and what has to be said with it. */
export function ProvenanceBlock({ of }: { of: Provenance & VideoRef }) {
  const { t } = useTranslation('data');
  const { licence, licenceUrl, author, attribution, page, source } = of;
  return (
    <Block title={t('provenance.title')}>
      <Facts
        facts={[
          [
            t('provenance.licence'),
            <OutLink key="licence" href={licenceUrl}>
              {t(`licence.${licence}`)}
            </OutLink>,
          ],
          [t('provenance.author'), author],
          [
            t('provenance.source'),
            <OutLink key="page" href={page}>
              {t(`source.${source}`)}
            </OutLink>,
          ],
        ]}
      />
      <Group wrap="nowrap" gap="xs" mt="sm" align="flex-start">
        <Text size="sm" c="var(--q-ink-2)" className={classes.whole}>
          {attribution}
        </Text>
        <CopyIcon text={attribution} label={t('provenance.copy')} />
      </Group>
    </Block>
  );
}
