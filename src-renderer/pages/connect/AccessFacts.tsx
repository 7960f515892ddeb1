import { Anchor, NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { CopyIcon } from '../../components/copy/CopyIcon.tsx';
import { Section } from '../../components/Section.tsx';
import { useNode } from '../../state/node.ts';
import classes from './connect.module.css';
import type { Access } from './programs.ts';

/** The three things that every program asks for. */
export function AccessFacts({ access, onModel }: { access: Access; onModel: (model: string) => void }) {
  const { t } = useTranslation('connect');
  const { data: models } = useAnswer(api.models.list.queryOptions());
  const loaded = useNode(({ status }) => status?.engine.model?.name);
  // The built-in model answers by its name only where it is the node's own.
  const installed = (models ?? []).filter(({ tiny, selected }) => !tiny || selected);
  const names = ['mesh', 'local', ...installed.map(({ name }) => name)];
  const means = access.model === 'mesh' || access.model === 'local' ? access.model : 'named';
  return (
    <Section title={t('access.title')} description={t('access.explain')}>
      <dl className={classes.access}>
        <dt>{t('access.address')}</dt>
        <dd>
          <code>{access.baseUrl}</code>
          <CopyIcon text={access.baseUrl} label={t('access.copyAddress')} />
        </dd>
        <dt>{t('access.token')}</dt>
        <dd>
          <span>
            {t(access.token ? 'access.tokenNeeded' : 'access.tokenFree')}{' '}
            <Anchor href="#/settings/security" size="sm" underline="always">
              {t(access.token ? 'access.tokenSee' : 'access.tokenSet')}
            </Anchor>
          </span>
        </dd>
        <dt>
          <label htmlFor="connect-model">{t('access.model')}</label>
        </dt>
        <dd>
          <NativeSelect
            id="connect-model"
            value={access.model}
            data={[...new Set(names)]}
            onChange={(event) => onModel(event.currentTarget.value)}
          />
          <CopyIcon text={access.model} label={t('access.copyModel')} />
          <small>{t(`access.means.${means}`, { model: loaded ?? t('access.none') })}</small>
        </dd>
      </dl>
    </Section>
  );
}
