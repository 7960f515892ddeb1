import type { SpotlightActionData } from '@mantine/spotlight';
import { IconAdjustments, IconCube, IconHash, IconWorldSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { PAGES } from '../../src-preload/contract/domains.ts';
import type { PageEntry } from '../../src-preload/contract/pages.ts';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { modelTitle } from '../i18n/model-title.ts';
import { settingTitle } from '../i18n/setting-title.ts';
import { worded } from '../i18n/worded.ts';
import { useNode } from '../state/node.ts';
import { wantModel, wantSearch, wantSection, wantSetting } from '../state/wanted.ts';
import { SECTIONS } from './finder-index.ts';
import { screenOf } from './pages.ts';

/** Every page that this node's role has, and its tabs. */
export function useFinderPages(): SpotlightActionData[] {
  const { t } = useTranslation();
  const role = useNode(({ status }) => status?.role);
  return PAGES.filter(({ roles }: PageEntry) => !role || !roles || roles.includes(role)).flatMap((page) => {
    const { icon: Icon } = screenOf(page.name);
    const leftSection = <Icon size={18} stroke={1.6} aria-hidden />;
    const title = t('title', { ns: page.name });
    const places = 'places' in page ? page.places : [];
    const tabs = places.map((place, index) => ({
      id: `${page.name} ${place}`,
      label: `${title} › ${t(`place.${place}`, { ns: page.name })}`,
      leftSection,
      onClick: () => go(index === 0 ? page.path : `${page.path}/${place}`),
    }));
    return tabs.length > 0 ? tabs : [{ id: page.name, label: title, leftSection, onClick: () => go(page.path) }];
  });
}

/** Headings of pages, with the page that has them. */
export function useFinderSections(): SpotlightActionData[] {
  const { t } = useTranslation();
  return SECTIONS.map(({ path, title: key, words }) => {
    const [, page = '', place = ''] = path.split('/');
    const title = t(key);
    return {
      id: `section ${key}`,
      label: title,
      description: `${t('title', { ns: page })} › ${t(`place.${place}`, { ns: page })}`,
      keywords: words,
      leftSection: <IconHash size={18} stroke={1.6} aria-hidden />,
      onClick: () => {
        go(path);
        wantSection(title);
      },
    };
  });
}

/** Models that are here, and those of the catalogue. */
export function useFinderModels(): SpotlightActionData[] {
  const { t } = useTranslation();
  const { data: local = [] } = useAnswer(api.models.list.queryOptions());
  const { data: catalogue } = useAnswer(api.models.catalogue.queryOptions({ input: {} }));
  const here = new Set(local.map(({ name }) => name));
  const names = new Set([...here, ...(catalogue ?? []).map(({ name }) => name)]);
  return [...names].map((name) => {
    const { title, quantisation } = modelTitle(name);
    return {
      id: `model ${name}`,
      label: title,
      description: [here.has(name) ? t('finder.here') : t('finder.inCatalogue'), quantisation]
        .filter(Boolean)
        .join(' · '),
      keywords: name,
      leftSection: <IconCube size={18} stroke={1.6} aria-hidden />,
      onClick: () => {
        if (here.has(name)) return go('/models');
        wantModel(name);
        go('/models/catalogue');
      },
    };
  });
}

/** Every setting, by what it does, by its help, and by the words of the section it stands in. */
export function useFinderSettings(): SpotlightActionData[] {
  const { t, i18n } = useTranslation();
  const { data } = useAnswer(api.settings.list.queryOptions());
  return (data?.settings ?? []).map((setting) => ({
    id: `setting ${setting.path}`,
    label: settingTitle(setting),
    keywords: [
      ...[setting.path, setting.description, worded(setting, 'description')],
      i18n.exists(`settings:field.${setting.path}.help`) ? t(`settings:field.${setting.path}.help`) : '',
      ...SECTIONS.filter(({ settings }) => settings?.some((begin) => setting.path.startsWith(begin))).map(
        ({ words }) => words,
      ),
    ],
    leftSection: <IconAdjustments size={18} stroke={1.6} aria-hidden />,
    onClick: () => {
      wantSetting(setting.path);
      go('/settings/all');
    },
  }));
}

/** What is typed, to be searched for where there are most models. It stands behind everything else. */
export function useFinderSearch(query: string): SpotlightActionData[] {
  const { t } = useTranslation();
  const words = query.trim();
  if (words === '') return [];
  return [
    {
      id: 'search hub',
      label: t('finder.searchHub'),
      description: t('finder.forWords', { words }),
      leftSection: <IconWorldSearch size={18} stroke={1.6} aria-hidden />,
      onClick: () => {
        wantSearch(words);
        go('/models/search');
      },
    },
  ];
}

function go(path: string): void {
  location.hash = path;
}
