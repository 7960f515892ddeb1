import { Button, Menu } from '@mantine/core';
import { IconBraces, IconDownload, IconFileText, IconPhoto, IconTable, IconVector } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { EvaluationDetails } from '../../../../src-preload/contract/evaluation.ts';
import { lengthsOf } from '../../../../src-preload/contract/evaluation-cells.ts';
import { tellError } from '../../../components/errors/tell-error.ts';
import { saveFile } from '../../../components/saving/save-file.ts';
import { useFormat } from '../../../i18n/format.ts';
import { needleMap, suiteRow, suitesOf } from '../map/map-cells.ts';
import { useMapChoice } from '../map/use-map-choice.ts';
import { useWords } from '../use-words.ts';
import { cellsCsv, cellsMarkdown } from './cells-table.ts';
import { mapPicture } from './map-picture.ts';
import { pngOf } from './png-of.ts';

/** Saves what came of an evaluation: as a table, or its map as a picture. */
export function ExportMenu({ details }: { details: EvaluationDetails }) {
  const { t } = useTranslation('evaluation');
  const picture = usePicture(details);
  const name = fileName(details);
  const save = (content: BlobPart, type: string, end: string) =>
    saveFile(new Blob([content], { type }), `${name}.${end}`);
  const savePng = () => {
    pngOf(picture()).then(
      (png) => saveFile(png, `${name}.png`),
      (error) => tellError(error, t('export.failed')),
    );
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={15} stroke={1.6} aria-hidden />}
          disabled={details.cells.length === 0}
        >
          {t('export.open')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('export.table')}</Menu.Label>
        <Menu.Item
          leftSection={<IconTable size={15} />}
          onClick={() => save(cellsCsv(details), 'text/csv;charset=utf-8', 'csv')}
        >
          CSV
        </Menu.Item>
        <Menu.Item
          leftSection={<IconBraces size={15} />}
          onClick={() => save(`${JSON.stringify(details, null, 2)}\n`, 'application/json', 'json')}
        >
          JSON
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFileText size={15} />}
          onClick={() => save(cellsMarkdown(details), 'text/markdown', 'md')}
        >
          Markdown
        </Menu.Item>
        <Menu.Label>{t('export.picture')}</Menu.Label>
        <Menu.Item leftSection={<IconVector size={15} />} onClick={() => save(picture().svg, 'image/svg+xml', 'svg')}>
          SVG
        </Menu.Item>
        <Menu.Item leftSection={<IconPhoto size={15} />} onClick={savePng}>
          PNG
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Draws the map that is shown; where nothing has a depth, what is right by length. */
function usePicture(details: EvaluationDetails) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const words = useWords();
  const { cells, plan } = details;
  const { suite, kind } = useMapChoice(details);
  return () => {
    const lengths = lengthsOf(cells);
    const rows =
      suite === undefined
        ? suitesOf(cells, plan.suites).map((name) => ({
            name: words.suite(name),
            spots: suiteRow(cells, name, lengths),
          }))
        : needleMap(cells, suite, kind, lengths).rows.map(({ band, spots }) => ({
            name: `${words.band(band)} (${words.depths(band)})`,
            spots,
          }));
    const about = [
      suite !== undefined && words.suite(suite),
      kind !== null && words.kind(kind),
      t('export.about'),
      format.time(details.createdAt),
    ];
    return mapPicture(
      {
        title: words.model(details),
        about: about.filter(Boolean).join(' · '),
        rows: suite === undefined ? t('byLength.suite') : t('map.depth'),
        columns: t('export.columns', { seed: plan.seed }),
        noRoom: t('map.noRoom'),
      },
      lengths.map(words.length),
      rows,
    );
  };
}

/** `quarry-evaluation-qwen3-4b-2026-11-21` */
function fileName({ model, createdAt }: EvaluationDetails): string {
  const safe = (model ?? 'model').replace(/[^\w.-]+/g, '-').slice(0, 80);
  return `quarry-evaluation-${safe}-${new Date(createdAt).toISOString().slice(0, 10)}`;
}
