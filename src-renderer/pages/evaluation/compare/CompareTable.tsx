import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { EvaluationDetails } from '../../../../src-preload/contract/evaluation.ts';
import { SERIES_COLOURS } from '../../../components/chart/colours.ts';
import { Dash } from '../../../components/chart/Legend.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../evaluation.module.css';
import { useWords } from '../use-words.ts';
import { comparedSum } from './compared.ts';

interface CompareTableProps {
  details: readonly EvaluationDetails[];
  /** As many. */
  names: readonly string[];
  suites: readonly string[];
  lengths: readonly number[];
}

/** A column for each evaluation; rows by length, by kind of questions, and for time. The best of a row is bold. */
export function CompareTable({ details, names, suites, lengths }: CompareTableProps) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const words = useWords();
  const share = (value: number | undefined) => (value === undefined ? '–' : format.percent(value));
  const rows: { name: string; of: readonly string[]; length?: number }[] = [
    { name: t('compare.all'), of: suites },
    ...lengths.map((length) => ({ name: t('tokens', { length: words.length(length) }), of: suites, length })),
    ...(suites.length > 1 ? suites.map((suite) => ({ name: words.suite(suite), of: [suite] })) : []),
  ];
  const sums = details.map((one) => comparedSum(one, suites));
  return (
    <div className={classes.scroll}>
      <Table aria-label={t('compare.table')} highlightOnHover={false} w="auto" miw={360}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            {names.map((name, place) => (
              <Table.Th key={place} scope="col" ta="right">
                <Dash colour={SERIES_COLOURS[place] ?? ''} /> {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, of, length }) => {
            const values = details.map((one) => comparedSum(one, of, length).accuracy);
            const best = Math.max(...values.map((value) => value ?? 0));
            return (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                {values.map((value, place) => (
                  <Table.Td key={place} ta="right" className="num" fw={value === best && best > 0 ? 650 : undefined}>
                    {share(value)}
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
          <Table.Tr>
            <Table.Th scope="row">{t('compare.questions')}</Table.Th>
            {sums.map(({ answered }, place) => (
              <Table.Td key={place} ta="right" className="num">
                {format.number(answered)}
              </Table.Td>
            ))}
          </Table.Tr>
          <Table.Tr>
            <Table.Th scope="row">{t('spot.first')}</Table.Th>
            {sums.map(({ firstMs }, place) => (
              <Table.Td key={place} ta="right" className="num">
                {firstMs === null ? '–' : format.duration(firstMs)}
              </Table.Td>
            ))}
          </Table.Tr>
          <Table.Tr>
            <Table.Th scope="row">{t('spot.reads')}</Table.Th>
            {sums.map(({ promptTokensPerSecond }, place) => (
              <Table.Td key={place} ta="right" className="num">
                {promptTokensPerSecond === null ? '–' : format.number(promptTokensPerSecond)}
              </Table.Td>
            ))}
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </div>
  );
}
