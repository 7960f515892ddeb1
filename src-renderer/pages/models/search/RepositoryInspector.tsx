import { Anchor, Skeleton, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HubModel, HubRepository } from '../../../../src-preload/contract/hub.ts';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { licenceName } from '../model/licence-name.ts';
import { useParametersText } from '../model/memory-text.ts';
import { Gated } from './Gated.tsx';
import { HubGet } from './HubGet.tsx';
import { halves } from './hub-view.ts';
import { Quantisations } from './Quantisations.tsx';

/** Who only passes by does not make the node read megabytes. */
const PASSING_MS = 800;
const FRESH_MS = 10 * 60_000;

/** A repository: what of it runs here, and the way to get it. */
export function RepositoryInspector({ model, downloads }: { model: HubModel; downloads: Download[] | undefined }) {
  const { t } = useTranslation('models');
  const { owner, name } = halves(model.id);
  const { repository, error, refetch } = useRepository(model.id);
  const [chosen, setChosen] = useState<string>();
  const all = repository?.quantisations ?? [];
  const usable = all.filter(({ pieces }) => pieces === 1);
  const quantisation =
    all.find(({ file }) => file === chosen) ?? all.find(({ recommended }) => recommended) ?? usable[0] ?? all[0];
  return (
    <Inspector title={name} description={t('hub.by', { owner })}>
      {error ? <ErrorNote error={error} onRetry={refetch} /> : null}
      {!repository && !error && <Waiting />}
      {repository && repository.access !== 'open' && <Gated repository={repository} />}
      {repository && (
        <Block title={t('hub.choose')}>
          <Quantisations repository={repository} chosen={quantisation?.file} onChoose={setChosen} />
        </Block>
      )}
      {repository && quantisation && (
        <HubGet key={quantisation.file} id={model.id} quantisation={quantisation} downloads={downloads} />
      )}
      <Block>
        <RepositoryFacts model={repository ?? model} repository={repository} />
      </Block>
    </Inspector>
  );
}

/** By sizes alone at first; by the header of a file once somebody stays here. */
function useRepository(id: string) {
  const options = { staleTime: FRESH_MS, retry: false };
  const stayed = useStayed();
  const quick = useAnswer(api.models.repository.queryOptions({ input: { id, exact: false }, ...options }));
  const exact = useAnswer(
    api.models.repository.queryOptions({
      input: { id, exact: true },
      enabled: stayed && quick.data !== undefined,
      ...options,
    }),
  );
  return { repository: exact.data ?? quick.data, error: quick.error, refetch: () => void quick.refetch() };
}

function useStayed(): boolean {
  const [mounted, setMounted] = useState(false);
  const [stayed] = useDebouncedValue(mounted, PASSING_MS);
  useEffect(() => setMounted(true), []);
  return stayed;
}

function Waiting() {
  const { t } = useTranslation();
  return (
    <Stack mt={18} gap={14} role="status" aria-label={t('loading')}>
      <Skeleton h={40} />
      <Skeleton h={40} />
      <Skeleton h={40} />
    </Stack>
  );
}

function RepositoryFacts({ model, repository }: { model: HubModel; repository: HubRepository | undefined }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const parametersText = useParametersText();
  const { parameters, licence, downloads, likes, updatedAt } = model;
  return (
    <Facts
      facts={[
        [t('card.parameters'), parameters !== null && parametersText(parameters)],
        [
          t('context.title'),
          repository?.contextLength != null && t('context.tokens', { tokens: format.number(repository.contextLength) }),
        ],
        [t('column.licence'), licence === null ? t('hub.noLicence') : licenceName(licence)],
        [t('hub.downloads'), format.number(downloads)],
        [t('hub.likes'), format.number(likes)],
        [t('hub.updated'), updatedAt !== null && format.time(updatedAt)],
        [
          t('hub.page'),
          repository && (
            <Anchor href={repository.page} target="_blank" rel="noopener noreferrer" fz="inherit">
              {new URL(repository.page).host}
            </Anchor>
          ),
        ],
      ]}
    />
  );
}
