import { Box, Button } from '@mantine/core';
import { IconExternalLink, IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { HubRepository } from '../../../../src-preload/contract/hub.ts';
import { Note } from '../../../components/Note.tsx';
import { SettingField } from '../../../components/setting-field/SettingField.tsx';
import classes from './hub.module.css';

/** Why not everybody gets these files, and the two steps to them. */
export function Gated({ repository }: { repository: HubRepository }) {
  const { t } = useTranslation('models');
  const { access, page, tokenPage, hasToken } = repository;
  const kind = access === 'terms' ? 'terms' : 'approval';
  const actions = (
    <>
      <Outward href={page}>{t('hub.openPage')}</Outward>
      {!hasToken && <Outward href={tokenPage}>{t('hub.makeToken')}</Outward>}
    </>
  );
  return (
    <Box mt={14}>
      <Note state="pause" icon={IconLock} title={t(`hub.access.${kind}`)} actions={actions}>
        <ol className={classes.steps}>
          <li>{t(`hub.step.${kind}`)}</li>
          <li>{t(hasToken ? 'hub.step.tokenIsSet' : 'hub.step.token')}</li>
        </ol>
      </Note>
      {!hasToken && (
        <Box mt={12}>
          <SettingField path="models.token" />
        </Box>
      )}
    </Box>
  );
}

function Outward({ href, children }: { href: string; children: string }) {
  return (
    <Button
      size="xs"
      variant="default"
      component="a"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      leftSection={<IconExternalLink size={14} stroke={1.6} aria-hidden />}
    >
      {children}
    </Button>
  );
}
